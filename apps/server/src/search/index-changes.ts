import type { Place } from '#src/channels/place.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { deleteWords, holdMark, listIndexed, upsertWords } from './index-queries.ts'

/**
 * Indexes messages as the transaction leaves them. Call it after a change of anything searchable: text, mentions, embeds,
 * pins. Takes the channel's mark: an indexer with the old state has either written it already, so that this overwrites it,
 * or must read the messages again.
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

/** Removes messages from the index. Call it after deleting their rows, for the reason given at `indexMessages`. */
export async function forgetMessages(
  transaction: Queryable,
  place: Place,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await holdMark(transaction, place)
  await deleteWords(transaction, place, ids)
}
