import { DEFAULT_PAGE } from '@foyer/protocol/limits'
import type { ListMessagesQuery, Message } from '@foyer/protocol/messages'
import { ApiError } from '#src/kernel/errors.ts'
import type { Queryable } from '#src/kernel/sql.ts'
import {
  findMessage,
  listMessagesAfter,
  listMessagesBefore,
  listNewestMessages,
  type Place,
} from './queries.ts'

/** A page of a room's history, newest first. */
export async function listMessages(
  database: Queryable,
  place: Place,
  query: ListMessagesQuery,
): Promise<Message[]> {
  const { before, after, around, limit = DEFAULT_PAGE } = query
  const anchors = [before, after, around].filter((anchor) => anchor !== undefined)
  if (anchors.length > 1) throw new ApiError('invalid_request', 'before, after and around exclude each other')
  if (before !== undefined) return listMessagesBefore(database, place, { anchor: before, limit })
  if (after !== undefined) return listMessagesAfter(database, place, { anchor: after, limit })
  if (around !== undefined) return listMessagesAround(database, place, { anchor: around, limit })
  return listNewestMessages(database, place, limit)
}

/** Half a page on each side of the anchor; what one side lacks, the other does not fill. */
async function listMessagesAround(
  database: Queryable,
  place: Place,
  { anchor, limit }: { anchor: string; limit: number },
): Promise<Message[]> {
  const half = Math.floor(limit / 2)
  const [newer, middle, older] = await Promise.all([
    half > 0 ? listMessagesAfter(database, place, { anchor, limit: half }) : [],
    findMessage(database, place, anchor),
    limit - half > 1 ? listMessagesBefore(database, place, { anchor, limit: limit - half - 1 }) : [],
  ])
  return [...newer, ...(middle ? [middle] : []), ...older]
}
