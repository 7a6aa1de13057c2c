import { type MouseEvent, type RefObject, useRef, useState } from 'react'
import { useWanted } from './lazy-popup.tsx'
import { type AskedMenu, askedBy } from './menu-place.ts'

/** What a popup needs to know of the button that it stands beside. */
export interface PopupAnchor {
  readonly anchor: RefObject<HTMLElement | null>
  /** When it was asked for around the button, where it stands instead. */
  readonly asked: AskedMenu | null
  readonly open: boolean
  /** Whether a key opened it: then it begins with its first entry. */
  readonly byKey: boolean
  readonly onOpenChange: (open: boolean) => void
}

interface PopupOptions {
  kind: 'menu' | 'dialog'
  /** Where something else opens it too. */
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
}

/** A button, and what it opens beside it. The button is there before the library that shows the popup is. */
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
  /** For the row around the button. */
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

/** A press on the button that opened a popup is for the button: it closes it by itself. A key is not: Escape closes. */
export function isOnAnchor({ anchor }: Pick<PopupAnchor, 'anchor'>, event: Event): boolean {
  const { target } = event
  if (event instanceof KeyboardEvent) return false
  return target instanceof Node && anchor.current?.contains(target) === true
}
