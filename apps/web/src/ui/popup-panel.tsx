import { Popover } from '@base-ui/react/popover'
import { type ReactNode, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { backTo } from './back-to.ts'
import './menu.css'
import { isOnAnchor, type PopupAnchor } from './use-popup.ts'

interface PopupPanelProps {
  popup: PopupAnchor
  /** Where it stands, if that is not simply beside its button. */
  place?: { getBoundingClientRect(): DOMRect }
  /** Where no title in it is its name. */
  label?: string
  className: string
  side: 'top' | 'bottom' | 'inline-start' | 'inline-end'
  align?: 'start' | 'end'
  initialFocus?: () => HTMLElement | boolean
  children: ReactNode
}

/**
 * What a button opens beside it, over the page. To be fetched when it is wanted: `lazyPopup`. The focus stays in it until it
 * closes, and its last stop closes it: who reads it by touch has no Escape.
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
