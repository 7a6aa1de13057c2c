import { firstIdAt, idTime } from '#src/kernel/ids.ts'
import type { JournaledEvent } from '#src/kernel/journal/journal.ts'
import { countSendable } from '../access/message-seq.ts'

/** Maximum time between two messages whose `seq` and ids are in opposite order. */
const MAX_DISORDER_MS = 2000

export interface PageCut {
  readonly due: readonly JournaledEvent[]
  /** The last event that is due; undefined if no other page follows. */
  readonly last: JournaledEvent | undefined
}

/**
 * Returns the id up to which a replay reads the journal, to send events before `before`: messages shortly after `before`
 * may have a smaller `seq`.
 */
export function lookaheadOf(before: string): string {
  return firstIdAt(idTime(before) + MAX_DISORDER_MS)
}

/**
 * Cuts a page of the journal so that no message is sent before an earlier one of its channel that is on a later page, or
 * received live.
 * @param page events up to `lookaheadOf(before)`, oldest first
 * @param isFull true if there may be more events after the page
 * @param before events from this id on are received live
 */
export function cutPage(
  page: readonly JournaledEvent[],
  { isFull, before }: { isFull: boolean; before: string },
): PageCut {
  const replayed = page.filter(({ id }) => id < before).length
  if (!isFull || replayed < page.length)
    return { due: page.slice(0, countSendable(page, replayed)), last: undefined }
  const end = idTime(page.at(-1)?.id ?? '') - MAX_DISORDER_MS
  const old = page.filter(({ id }) => idTime(id) < end).length
  const due = page.slice(0, countSendable(page, old))
  return due.length === 0 ? { due: page, last: page.at(-1) } : { due, last: due.at(-1) }
}
