import type { Place } from '#src/channels/place.ts'
import type { Queryable } from '#src/kernel/sql.ts'
import { deleteWords, holdMark, listIndexed, upsertWords } from './index-queries.ts'

/**
 * Makes search find messages as the transaction leaves them: to be called after a change of what can be searched for,
 * which is their text, their mentions, their embeds, whether they are pinned.
 * The indexer may have read them before the change; it writes before the mark is ours, and is overwritten, or reads again.
 */
export async function indexMessages(
  transaction: Queryable,
  place: Place,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await holdMark(transaction, place)
  await upsertWords(transaction, await listIndexed(transaction, place, ids))
}

/** Makes search forget messages: to be called after their rows were deleted, for the same reason. */
export async function forgetMessages(
  transaction: Queryable,
  place: Place,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await holdMark(transaction, place)
  await deleteWords(transaction, place, ids)
}
