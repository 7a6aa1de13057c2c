import { Tooltip } from '@base-ui/react/tooltip'
import type { ComponentProps, ReactNode } from 'react'
import './icon-button.css'

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & { label: string; icon: ReactNode }

/** A button whose name is shown when it is pointed at or focused. */
export function IconButton({ label, icon, className = '', ...props }: IconButtonProps) {
  return (
    <Hint label={label}>
      <button type="button" {...props} aria-label={label} className={`icon-button ${className}`}>
        {icon}
      </button>
    </Hint>
  )
}

/** Shows a label beside a control that carries the same name for assistive technology itself. */
export function Hint({ label, side = 'top', children }: HintProps) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner side={side} sideOffset={8}>
          <Tooltip.Popup className="hint">{label}</Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}

interface HintProps {
  label: string
  side?: 'top' | 'right' | 'bottom' | 'left'
  children: React.ReactElement
}
