import { CSPProvider } from '@base-ui/react/csp-provider'
import { Select } from '@base-ui/react/select'
import type { Component } from '@foyer/protocol/components'
import { Check, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import '#src/ui/popups/menu.css'

interface ComponentSelectProps {
  component: Component
  isPending: boolean
  tabIndex: 0 | -1
  /** Called immediately for a single choice, and when the list closes for several. */
  onChoose: (values: string[]) => void
}

export function ComponentSelect({ component, isPending, tabIndex, onChoose }: ComponentSelectProps) {
  const { options = [], max_values = 1, min_values = 1 } = component
  const [values, setValues] = useState(() =>
    options.filter((option) => option.default).map(({ value }) => value),
  )
  const [sent, setSent] = useState(values)
  const [isOpen, setIsOpen] = useState(false)
  const isMultiple = max_values > 1

  function change(chosen: string[]) {
    setValues(chosen)
    if (isMultiple) return
    setIsOpen(false)
    send(chosen)
  }

  function send(chosen: string[]) {
    if (chosen.length < min_values || chosen.join() === sent.join()) return
    setSent(chosen)
    onChoose(chosen)
  }

  return (
    // The content security policy forbids inline styles.
    <CSPProvider disableStyleElements>
      <Select.Root
        multiple
        modal={false}
        items={options}
        value={values}
        disabled={component.disabled === true || isPending}
        // In a single select, the new choice replaces the old one.
        onValueChange={(next: string[]) => change(isMultiple ? next.slice(0, max_values) : next.slice(-1))}
        open={isOpen}
        onOpenChange={(open) => {
          setIsOpen(open)
          if (!open && isMultiple) send(values)
        }}
      >
        <Select.Trigger
          className="component-select"
          tabIndex={tabIndex}
          aria-label={component.placeholder ?? t('Choose')}
          aria-busy={isPending || undefined}
        >
          <Select.Value
            className="component-select-value"
            placeholder={component.placeholder ?? t('Choose…')}
          />
          <Select.Icon>
            <ChevronDown aria-hidden="true" />
          </Select.Icon>
        </Select.Trigger>
        <Select.Portal>
          <Select.Positioner className="floating" sideOffset={4} align="start" alignItemWithTrigger={false}>
            <Select.Popup className="menu component-options">
              {options.map(({ value, label, description }) => (
                <Select.Item
                  key={value}
                  value={value}
                  className="menu-item component-option"
                  disabled={isMultiple && values.length >= max_values && !values.includes(value)}
                >
                  <span className="component-option-texts">
                    <Select.ItemText>{label}</Select.ItemText>
                    {description && <span className="component-option-note">{description}</span>}
                  </span>
                  <Select.ItemIndicator>
                    <Check aria-hidden="true" />
                  </Select.ItemIndicator>
                </Select.Item>
              ))}
            </Select.Popup>
          </Select.Positioner>
        </Select.Portal>
      </Select.Root>
    </CSPProvider>
  )
}
