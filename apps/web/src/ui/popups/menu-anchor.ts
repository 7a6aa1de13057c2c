import type { MouseEvent, RefObject } from 'react'

/** Position of a menu: at a point, or next to an element. */
export type MenuAnchor = Element | { getBoundingClientRect: () => DOMRect }

export function pointAt(x: number, y: number): MenuAnchor {
  return { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) }
}

/** A request to open a menu or card: the position, and how it was opened. */
export interface AskedMenu {
  readonly at: MenuAnchor
  /** The element that had the focus before the menu opened. */
  readonly from: RefObject<HTMLElement | null>
  readonly byKey: boolean
}

/** A right click opens the menu at the pointer, the menu key at the element. */
export function askedBy({ button, clientX, clientY, currentTarget }: MouseEvent<HTMLElement>): AskedMenu {
  const { activeElement } = document
  const byKey = button !== 2
  return {
    at: byKey ? currentTarget : pointAt(clientX, clientY),
    from: { current: activeElement instanceof HTMLElement ? activeElement : null },
    byKey,
  }
}
