export type Side = 'top' | 'bottom' | 'inline-end'

interface Size {
  readonly width: number
  readonly height: number
}

interface Placing {
  readonly side: Side
  readonly size: Size
  readonly window: Size
  readonly isRightToLeft: boolean
}

type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>

const GAP_PX = 8
/** Distance kept from the edges of the window. */
const EDGE_PX = 4

/** Returns the top left corner of an element next to a box, or on the opposite side if the window has no space there. */
export function placeBeside(box: Box, { side, size, window, isRightToLeft }: Placing) {
  const middle = { x: (box.left + box.right - size.width) / 2, y: (box.top + box.bottom - size.height) / 2 }
  const above = { x: middle.x, y: box.top - GAP_PX - size.height }
  const below = { x: middle.x, y: box.bottom + GAP_PX }
  const left = { x: box.left - GAP_PX - size.width, y: middle.y }
  const right = { x: box.right + GAP_PX, y: middle.y }
  const [maxX, maxY] = [window.width - size.width - EDGE_PX, window.height - size.height - EDGE_PX]
  const sides = {
    top: above.y < 0 ? below : above,
    bottom: below.y > maxY ? above : below,
    left: left.x < 0 ? right : left,
    right: right.x > maxX ? left : right,
  }
  const { x, y } = sides[side === 'inline-end' ? (isRightToLeft ? 'left' : 'right') : side]
  return { x: within(x, maxX), y: within(y, maxY) }
}

function within(place: number, max: number): number {
  return Math.max(EDGE_PX, Math.min(place, max))
}
