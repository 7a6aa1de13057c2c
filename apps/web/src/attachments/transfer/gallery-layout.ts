/** Columns of a gallery's grid. Rows of one, two or three pictures fill them evenly. */
export const GALLERY_COLUMNS = 6

/** The columns and rows that one picture takes in the grid. */
export interface Span {
  readonly columns: number
  readonly rows: number
}

/** The maximum size of a single picture, in CSS pixels. */
const MAX_WIDTH = 416
const MAX_HEIGHT = 336
/** Minimum width and height in CSS pixels, so that a long strip can be clicked. */
const MIN_SIDE = 72
/** The size of a picture that could not be measured. */
const UNKNOWN = { width: 320, height: 240 }

/**
 * Returns the layout of several pictures. Three pictures are a large one with two small ones next to it, four are two rows of
 * two. Any other number is laid out in rows of three, after a first row with the one or two that are left over.
 */
export function spansOf(count: number): Span[] {
  if (count === 3) return [{ columns: 4, rows: 2 }, ...Array<Span>(2).fill({ columns: 2, rows: 1 })]
  if (count === 4) return Array<Span>(4).fill({ columns: 3, rows: 1 })
  const first = count % 3
  const firstRow = Array<Span>(first).fill({ columns: GALLERY_COLUMNS / Math.max(1, first), rows: 1 })
  return [...firstRow, ...Array<Span>(count - first).fill({ columns: 2, rows: 1 })]
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** Returns the size of a single picture or video, scaled down to fit. */
export function boxOf({ width, height }: { width: number | null; height: number | null }): Size {
  if (!width || !height) return UNKNOWN
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height)
  return {
    width: Math.max(MIN_SIDE, Math.round(width * scale)),
    height: Math.max(MIN_SIDE, Math.round(height * scale)),
  }
}
