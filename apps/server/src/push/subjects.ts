import { MessageFlag } from '@foyer/protocol/messages'
import type { Place } from '#src/channels/place.ts'
import type { Queryable } from '#src/kernel/sql.ts'
import { findRow, listNewestRows } from '#src/messages/queries.ts'
import { isAuthored, type MessageRow } from '#src/messages/rows.ts'
import { findRinging } from './recipient-queries.ts'

/** What people are to be told of. */
export type Subject =
  | { readonly type: 'message'; readonly place: Place; readonly authorId: string; readonly row: MessageRow }
  | {
      readonly type: 'call'
      readonly place: Place
      readonly authorId: string
      readonly ringing: readonly string[]
    }

/** By what a job names it: a message, a call, or what is the newest plain message by then, this one or one after it. */
export interface SubjectName {
  readonly place: Place
  readonly type: 'message' | 'call' | 'newest'
  readonly messageId: string | null
}

/** More of them at once mention somebody seldom. */
const NEWEST = 20
const QUIET = MessageFlag.SuppressNotifications | MessageFlag.Loading

/** As it is now; undefined for what is gone, or tells nobody anything. */
export async function findSubject(
  database: Queryable,
  { place, type, messageId }: SubjectName,
): Promise<Subject | undefined> {
  if (type === 'call') return findCall(database, place)
  if (messageId === null) return undefined
  const row = await (type === 'newest' ? findNewest : findRow)(database, place, messageId)
  if (row === undefined || !isAuthored(row) || (row.flags & QUIET) !== 0) return undefined
  return { type: 'message', place, authorId: row.author_id, row }
}

async function findCall(database: Queryable, place: Place): Promise<Subject | undefined> {
  const call = await findRinging(database, place.tenantId)
  return call && { type: 'call', place, authorId: call.initiator_id, ringing: call.ringing }
}

async function findNewest(
  database: Queryable,
  place: Place,
  firstId: string,
): Promise<MessageRow | undefined> {
  const rows = await listNewestRows(database, place, NEWEST)
  return rows.find((row) => isPlain(row) && row.id >= firstId)
}

/** Those that mention somebody are told of one by one. */
function isPlain(row: MessageRow): boolean {
  const isMentioning = row.mention_everyone || row.mention_ids !== null || row.mention_role_ids !== null
  return !isMentioning && isAuthored(row) && (row.flags & QUIET) === 0
}
