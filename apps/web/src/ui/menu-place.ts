import type { MouseEvent, RefObject } from 'react'

/** Where a menu opens: at a point, or beside an element. */
export type MenuPlace = Element | { getBoundingClientRect: () => DOMRect }

export function pointAt(x: number, y: number): MenuPlace {
  return { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) }
}

/** How a menu was asked for that has no place of its own: around its button, or by a button of many. */
export interface AskedMenu {
  readonly at: MenuPlace
  /** What has the focus behind it. */
  readonly from: RefObject<HTMLElement | null>
  readonly byKey: boolean
}

/** The other button of a mouse asks for a menu where it points, the menu key at what listens. */
export function askedBy({ button, clientX, clientY, currentTarget }: MouseEvent<HTMLElement>): AskedMenu {
  const { activeElement } = document
  const byKey = button !== 2
  return {
    at: byKey ? currentTarget : pointAt(clientX, clientY),
    from: { current: activeElement instanceof HTMLElement ? activeElement : null },
    byKey,
  }
}
