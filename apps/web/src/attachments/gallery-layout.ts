/** A gallery's grid has six columns, so that rows of one, two and three fill it. */
export const GALLERY_COLUMNS = 6

/** The place of one picture in the grid, in columns and rows. */
export interface Span {
  readonly columns: number
  readonly rows: number
}

/** The largest that a picture alone is shown, in CSS pixels. */
const MAX_WIDTH = 416
const MAX_HEIGHT = 336
/** A long strip keeps something to press on. */
const MIN_SIDE = 72
/** For what nobody could measure. */
const UNKNOWN = { width: 320, height: 240 }

/**
 * How several pictures share their grid. Three are a large one with two beside it; more are rows of three, after the one or
 * two that are left over.
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

/** The box of a picture or video that is shown alone: its own size, or as much of it as there is room for. */
export function boxOf({ width, height }: { width: number | null; height: number | null }): Size {
  if (!width || !height) return UNKNOWN
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height)
  return {
    width: Math.max(MIN_SIDE, Math.round(width * scale)),
    height: Math.max(MIN_SIDE, Math.round(height * scale)),
  }
}
