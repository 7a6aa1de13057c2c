/** Where a menu opens: at a point, or beside an element. */
export type MenuPlace = Element | { getBoundingClientRect: () => DOMRect }

export function pointAt(x: number, y: number): MenuPlace {
  return { getBoundingClientRect: () => new DOMRect(x, y, 0, 0) }
}
