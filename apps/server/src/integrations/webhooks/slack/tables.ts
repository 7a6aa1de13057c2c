import { cut } from '../cards.ts'
import type { Payload } from '../payload.ts'
import { plainOf } from './rich-text.ts'

const MAX_ROWS = 100
const MAX_CELLS = 20
const MAX_CELL = 40

/** Shows a `table` block as code, with aligned columns. */
export function tableOf(block: Payload): string {
  const rows = block.list('rows', MAX_ROWS).map(cellsOf)
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widthOf(rows, column)))
      .join(' | ')
      .trimEnd(),
  )
  return lines.join('').trim() === '' ? '' : ['```', ...lines, '```'].join('\n')
}

function widthOf(rows: readonly (readonly string[])[], column: number): number {
  return Math.max(...rows.map((cells) => cells[column]?.length ?? 0))
}

function cellsOf(row: Payload): string[] {
  return row.list('', MAX_CELLS).map((cell) => {
    const text = cell.text('type') === 'rich_text' ? plainOf(cell) : cell.text('text').toWellFormed()
    return cut(
      text
        .slice(0, 4 * MAX_CELL)
        .toWellFormed()
        .replaceAll(/[\s`]+/g, ' '),
      MAX_CELL,
    )
  })
}
