import { type MouseEvent, type RefObject, useRef, useState } from 'react'
import { useWanted } from '../loading/lazy-popup.tsx'
import { type AskedMenu, askedBy } from './menu-anchor.ts'

/** State of a popup and the button it belongs to. */
export interface PopupAnchor {
  readonly anchor: RefObject<HTMLElement | null>
  /** Set if the popup was opened as a context menu. It then appears at that position. */
  readonly asked: AskedMenu | null
  readonly open: boolean
  /** True if opened by keyboard. The popup then focuses its first entry. */
  readonly byKey: boolean
  readonly onOpenChange: (open: boolean) => void
}

interface PopupOptions {
  kind: 'menu' | 'dialog'
  /** Set if the caller controls the state. */
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
}

/** State of a button and its popup. The button works before the popup's library has loaded. */
export function usePopup({ kind, open: given, onOpenChange }: PopupOptions) {
  const anchor = useRef<HTMLButtonElement>(null)
  const [own, setOwn] = useState(false)
  const [byKey, setByKey] = useState(false)
  const [asked, setAsked] = useState<AskedMenu | null>(null)
  const open = given ?? own
  const isWanted = useWanted(open)

  function change(next: boolean) {
    setOwn(next)
    onOpenChange?.(next)
  }
  function onClick({ detail }: MouseEvent) {
    setByKey(detail === 0)
    setAsked(null)
    change(!open)
  }
  /** Opens the popup by a right click or the menu key on the row around the button. */
  function onContextMenu(event: MouseEvent<HTMLElement>) {
    const next = askedBy(event)
    event.preventDefault()
    setByKey(next.byKey)
    setAsked(next)
    change(true)
  }

  const trigger = {
    ref: anchor,
    'aria-haspopup': kind,
    'aria-expanded': open,
    'data-popup-open': open ? '' : undefined,
    onClick,
  } as const
  const popup: PopupAnchor = { anchor, asked, open, byKey, onOpenChange: change }
  return { open, isWanted, change, trigger, row: { onContextMenu }, popup }
}

export type Popup = ReturnType<typeof usePopup>

/** True for a pointer event on the popup's button, whose click handler closes the popup. False for keys, such as Escape. */
export function isOnAnchor({ anchor }: Pick<PopupAnchor, 'anchor'>, event: Event): boolean {
  const { target } = event
  if (event instanceof KeyboardEvent) return false
  return target instanceof Node && anchor.current?.contains(target) === true
}
