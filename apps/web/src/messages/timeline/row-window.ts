import type { Row } from './rows.ts'

/** An item of a list that renders only the rows near the view, with gaps of estimated height for the others. */
export type Item =
  | { readonly kind: 'row'; readonly key: string; readonly row: Row }
  | { readonly kind: 'gap'; readonly key: string; readonly height: number; readonly rows: readonly Row[] }

/** Row indices from `from` up to, but excluding, `to`. */
export interface Window {
  readonly from: number
  readonly to: number
}

/** Pixels to render above and below the top of the view. `below` includes the view itself. */
export interface Reach {
  readonly above: number
  readonly below: number
}

type HeightOf = (row: Row) => number

/** Returns the rows around the one at the top of the view. */
export function windowAround(rows: readonly Row[], index: number, heightOf: HeightOf, reach: Reach): Window {
  let [from, above] = [index, 0]
  while (from > 0 && above < reach.above) above += heightAt(rows, --from, heightOf)
  let [to, below] = [index, 0]
  while (to < rows.length && below < reach.below) below += heightAt(rows, to++, heightOf)
  // Near the end of the list, the rows below do not fill the view, so rows above must.
  while (from > 0 && above + below < reach.below) above += heightAt(rows, --from, heightOf)
  return { from, to }
}

/** Returns the items to render: the rows of the window, the rows to keep, and gaps in place of all other rows. */
export function listItems(
  rows: readonly Row[],
  { from, to }: Window,
  isKept: (key: string) => boolean,
  heightOf: HeightOf,
): Item[] {
  const items: Item[] = []
  let skipped: Row[] = []
  const closeGap = () => {
    const [first] = skipped
    if (first === undefined) return
    const height = skipped.reduce((sum, row) => sum + heightOf(row), 0)
    items.push({ kind: 'gap', key: `gap-${first.key}`, height, rows: skipped })
    skipped = []
  }
  for (const [index, row] of rows.entries()) {
    if ((index < from || index >= to) && !isKept(row.key)) {
      skipped.push(row)
      continue
    }
    closeGap()
    items.push({ kind: 'row', key: row.key, row })
  }
  closeGap()
  return items
}

/** Returns the row at `depth` pixels below the top of a gap, and the distance from there to the top of the row. */
export function rowInGap(
  rows: readonly Row[],
  depth: number,
  heightOf: HeightOf,
): { key: string; offset: number } | null {
  let top = 0
  for (const row of rows) {
    const height = heightOf(row)
    if (top + height > depth) return { key: row.key, offset: top - depth }
    top += height
  }
  return null
}

function heightAt(rows: readonly Row[], index: number, heightOf: HeightOf): number {
  const row = rows[index]
  return row === undefined ? 0 : heightOf(row)
}
