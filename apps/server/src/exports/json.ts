/** Pages of rows. Each continues after the last key of the previous one. */
export type Pages<Row> = AsyncIterable<readonly Row[]>

/** Writes an array with one row on each line, page by page. Calls back with each page's length. */
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
