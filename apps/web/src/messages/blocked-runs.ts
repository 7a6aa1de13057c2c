import type { State } from '#src/store/state.ts'
import type { MessageRow, Row } from './rows.ts'

/**
 * The rows with one in place of messages next to each other by people whom the reader blocks. A run of which they want to see
 * a message, by its id, stands below its row.
 * @param keys what the rows of runs were called by their messages: one that grows at either end is the same, and keeps the focus
 */
export function foldBlocked(
  rows: readonly Row[],
  blocks: State['blocks'],
  wanted: ReadonlySet<string>,
  keys: Map<string, string> = new Map(),
): Row[] {
  const folded: Row[] = []
  const used = new Set<string>()
  let run: MessageRow[] = []
  const closeRun = () => {
    if (run.length === 0) return
    const key = keyOfRun(run, keys, used)
    const messages = run.map(({ message }) => message)
    const isShown = messages.some(({ id }) => wanted.has(id))
    folded.push({ kind: 'blocked', key, messages, isShown }, ...(isShown ? run : []))
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

function keyOfRun(run: readonly MessageRow[], keys: Map<string, string>, used: Set<string>): string {
  const known = run.map((row) => keys.get(row.key)).find((key) => key !== undefined && !used.has(key))
  let key = known ?? `blocked-${run[0]?.key}`
  // Of a run that fell apart the other half may begin with what named all of it.
  while (used.has(key)) key += '+'
  used.add(key)
  for (const row of run) keys.set(row.key, key)
  return key
}
