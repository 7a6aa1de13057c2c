import { Switch } from '@base-ui/react/switch'
import { useId } from 'react'
import './switch-row.css'

interface SwitchRowProps {
  label: string
  description?: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** A labelled switch with a description. */
export function SwitchRow({ label, description, checked, disabled = false, onChange }: SwitchRowProps) {
  const id = useId()
  return (
    <label className="switch-row" htmlFor={id}>
      <span className="switch-texts">
        <span className="switch-label">{label}</span>
        {description !== undefined && (
          <span id={`${id}-description`} className="switch-description">
            {description}
          </span>
        )}
      </span>
      <Switch.Root
        id={id}
        className="switch"
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
        aria-label={label}
        aria-describedby={description === undefined ? undefined : `${id}-description`}
      >
        <Switch.Thumb className="switch-thumb" />
      </Switch.Root>
    </label>
  )
}
