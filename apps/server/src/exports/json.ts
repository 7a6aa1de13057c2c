/** Rows, one page at a time. */
export type Pages<Row> = AsyncIterable<readonly Row[]>

/** Yields a JSON array with one row per line. Calls `onPage` with the number of rows of each page. */
export async function* jsonArrayOf(
  pages: Pages<object>,
  onPage: (count: number) => void,
): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const rows of pages) {
    onPage(rows.length)
    for (const row of rows) {
      yield `${separator}${JSON.stringify(row)}`
      separator = ',\n'
    }
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}
