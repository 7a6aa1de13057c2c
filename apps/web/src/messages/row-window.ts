import type { Row } from './rows.ts'

/** A list that is long shows the rows about the reader; heights stand in for the others. */
export type Item =
  | { readonly kind: 'row'; readonly key: string; readonly row: Row }
  | { readonly kind: 'gap'; readonly key: string; readonly height: number; readonly rows: readonly Row[] }

/** Rows from one index up to, not with, another. */
export interface Window {
  readonly from: number
  readonly to: number
}

/** So much is there above and below the top of the view. The view itself is in what is below. */
export interface Reach {
  readonly above: number
  readonly below: number
}

type HeightOf = (row: Row) => number

/** The rows about one of them, that one at the top of the view. */
export function windowAround(rows: readonly Row[], index: number, heightOf: HeightOf, reach: Reach): Window {
  let [from, above] = [index, 0]
  while (from > 0 && above < reach.above) above += heightAt(rows, --from, heightOf)
  let [to, below] = [index, 0]
  while (to < rows.length && below < reach.below) below += heightAt(rows, to++, heightOf)
  // At the end, the view is in what is above.
  while (from > 0 && above + below < reach.below) above += heightAt(rows, --from, heightOf)
  return { from, to }
}

/** What the list shows: the window, the rows that must not go, and gaps in the others' place. */
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

/** Which of a gap's rows is so far below its beginning, and how far below that it begins. */
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
