import type { Html } from './html.ts'

export interface Fitted<Item> {
  readonly items: readonly Item[]
  readonly rows: readonly Html[]
  /** The last item that fits, if more items follow; undefined if all items fit. */
  readonly last: Item | undefined
}

/** Returns the first items whose HTML has at most `maxBytes` together, at least one. */
export function fitting<Item>(
  items: readonly Item[],
  maxBytes: number,
  rowOf: (item: Item) => Html,
): Fitted<Item> {
  const rows: Html[] = []
  let bytes = 0
  for (const item of items) {
    const row = rowOf(item)
    bytes += Buffer.byteLength(row.text)
    if (rows.length > 0 && bytes > maxBytes) break
    rows.push(row)
  }
  const shown = items.slice(0, rows.length)
  return { items: shown, rows, last: shown.length < items.length ? shown.at(-1) : undefined }
}
