import type { State } from '#src/store/state.ts'
import type { MessageRow, Row } from './rows.ts'

/**
 * The rows with one in place of messages next to each other by people whom the reader blocks. A run of which they want to see
 * a message, by its id, stands below its row.
 */
export function foldBlocked(
  rows: readonly Row[],
  blocks: State['blocks'],
  wanted: ReadonlySet<string>,
): Row[] {
  const folded: Row[] = []
  let run: MessageRow[] = []
  const closeRun = () => {
    const [first] = run
    if (first === undefined) return
    const messages = run.map(({ message }) => message)
    const isShown = messages.some(({ id }) => wanted.has(id))
    folded.push({ kind: 'blocked', key: `blocked-${first.key}`, messages, isShown }, ...(isShown ? run : []))
    run = []
  }
  for (const row of rows) {
    if (row.kind === 'message' && row.message.author.id in blocks) {
      run.push(row)
      continue
    }
    closeRun()
    folded.push(row)
  }
  closeRun()
  return folded
}
