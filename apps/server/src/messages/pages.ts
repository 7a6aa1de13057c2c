import { DEFAULT_PAGE } from '@foyer/protocol/limits'
import type { ListMessagesQuery, Message } from '@foyer/protocol/messages'
import type { Place } from '#src/channels/place.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { findRow, listNewestRows, listRowsAfter, listRowsBefore } from './queries.ts'
import { completeMessages, type MessageReader } from './reading.ts'
import type { MessageRow } from './rows.ts'

/** Lists a page of a channel's history, newest first. */
export async function listMessages(
  reader: MessageReader,
  place: Place,
  query: ListMessagesQuery,
  callerId: string,
): Promise<Message[]> {
  return completeMessages(reader, place, await listRows(reader.database, place, query), callerId)
}

async function listRows(database: Queryable, place: Place, query: ListMessagesQuery): Promise<MessageRow[]> {
  const { before, after, around, limit = DEFAULT_PAGE } = query
  const anchors = [before, after, around].filter((anchor) => anchor !== undefined)
  if (anchors.length > 1)
    throw new ApiError('invalid_request', 'only one of before, after and around may be given')
  if (before !== undefined) return listRowsBefore(database, place, { anchor: before, limit })
  if (after !== undefined) return listRowsAfter(database, place, { anchor: after, limit })
  if (around !== undefined) return listRowsAround(database, place, { anchor: around, limit })
  return listNewestRows(database, place, limit)
}

/** Lists half a page on each side of the anchor. If one half is short, the other does not get longer. */
async function listRowsAround(
  database: Queryable,
  place: Place,
  { anchor, limit }: { anchor: string; limit: number },
): Promise<MessageRow[]> {
  const half = Math.floor(limit / 2)
  const [newer, middle, older] = await Promise.all([
    half > 0 ? listRowsAfter(database, place, { anchor, limit: half }) : [],
    findRow(database, place, anchor),
    limit - half > 1 ? listRowsBefore(database, place, { anchor, limit: limit - half - 1 }) : [],
  ])
  return [...newer, ...(middle ? [middle] : []), ...older]
}
