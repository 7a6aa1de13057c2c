import type { State } from '#src/store/state.ts'
import type { MessageRow, Row } from '../timeline/rows.ts'

/**
 * Replaces each run of messages by blocked people with one row. A run that the user expanded is kept below its row.
 * @param keys row keys of known runs, by message key. A run that grows at either end keeps its key, and so the focus
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
  // When a run splits, its second half may claim the key of the whole run.
  while (used.has(key)) key += '+'
  used.add(key)
  for (const row of run) keys.set(row.key, key)
  return key
}
