import { Popover } from '@base-ui/react/popover'
import { type ReactNode, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { backTo } from './back-to.ts'
import './menu.css'
import { isOnAnchor, type PopupAnchor } from './use-popup.ts'

interface PopupPanelProps {
  popup: PopupAnchor
  /** Position, if not next to its button. */
  place?: { getBoundingClientRect(): DOMRect }
  /** Accessible name, if it has no title. */
  label?: string
  className: string
  side: 'top' | 'bottom' | 'inline-start' | 'inline-end'
  align?: 'start' | 'end'
  initialFocus?: () => HTMLElement | boolean
  children: ReactNode
}

/**
 * A panel next to its button. Load it with `lazyPopup`. It traps the focus until it closes. Its last tab stop is a close
 * button for screen readers on touch screens, which have no Escape key.
 */
export function PopupPanel(props: PopupPanelProps) {
  const { popup, place, label, className, side, align = 'start', initialFocus, children } = props
  const { anchor, open, onOpenChange } = popup
  const panel = useRef<HTMLDivElement>(null)
  return (
    <Popover.Root
      modal="trap-focus"
      open={open}
      onOpenChange={(next, { event }) => isOnAnchor(popup, event) || onOpenChange(next)}
    >
      <Popover.Portal>
        <Popover.Positioner
          className="floating"
          anchor={place ?? anchor}
          side={side}
          align={align}
          sideOffset={8}
          collisionPadding={8}
        >
          <Popover.Popup
            className={`popover ${className}`}
            ref={panel}
            finalFocus={() => backTo(anchor, panel)}
            {...(label !== undefined && { 'aria-label': label })}
            {...(initialFocus !== undefined && { initialFocus })}
          >
            {children}
            <Popover.Close className="popover-close">{t('Close')}</Popover.Close>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
