import { Menu } from '@base-ui/react/menu'
import { type ReactNode, useRef } from 'react'
import { backTo } from './back-to.ts'
import './menu.css'
import { isOnAnchor, type PopupAnchor } from './use-popup.ts'

interface PopupMenuProps {
  popup: PopupAnchor
  label: string
  /** Menu items. */
  children: ReactNode
}

/** Menu of a button. Load it with `lazyPopup`. */
export function PopupMenu({ popup, label, children }: PopupMenuProps) {
  const { anchor, asked, open, byKey, onOpenChange } = popup
  const list = useRef<HTMLDivElement>(null)
  const firstItem = () => list.current?.querySelector<HTMLElement>('[role^="menuitem"]') ?? true
  return (
    <Menu.Root open={open} onOpenChange={(next, { event }) => isOnAnchor(popup, event) || onOpenChange(next)}>
      <Menu.Portal>
        <Menu.Positioner className="floating" anchor={asked?.at ?? anchor} sideOffset={4} align="start">
          <Menu.Popup
            ref={list}
            className="menu"
            aria-label={label}
            finalFocus={() => backTo(asked?.from ?? anchor, list)}
            {...(byKey && { initialFocus: firstItem })}
          >
            {children}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
