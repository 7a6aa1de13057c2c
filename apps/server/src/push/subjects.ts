import { MessageFlag } from '@foyer/protocol/messages'
import { type Place, placeOfRow } from '#src/channels/place.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { findRow } from '#src/messages/queries.ts'
import { isAuthored, type MessageRow } from '#src/messages/rows.ts'
import { findRaid, type Raid } from './raids.ts'
import { findNewestPlain, findRinging } from './recipient-queries.ts'

/** The subject of a notification. */
export type Subject =
  | { readonly type: 'message'; readonly place: Place; readonly authorId: string; readonly row: MessageRow }
  | {
      readonly type: 'call'
      readonly place: Place
      readonly authorId: string
      readonly ringing: readonly string[]
    }
  | Raid

/**
 * Identifies a subject in a job: a message, a call or a raid. `newest` is the newest message without mentions when the job
 * runs: the given message, or a later one.
 */
export interface SubjectName {
  readonly place: Place
  readonly type: 'message' | 'call' | 'raid' | 'newest'
  readonly messageId: string | null
}

const QUIET = MessageFlag.SuppressNotifications | MessageFlag.Loading

/** Reads the current subject; undefined if it was deleted or notifies no one. */
export async function findSubject(
  database: Queryable,
  { place, type, messageId }: SubjectName,
): Promise<Subject | undefined> {
  if (type === 'call') return findCall(database, place)
  if (type === 'raid') return findRaid(database, place)
  if (messageId === null) return undefined
  const row =
    type === 'newest'
      ? await findNewestPlain(database, place, { firstId: messageId, withoutFlags: QUIET })
      : await findRow(database, place, messageId)
  if (row === undefined || !isAuthored(row) || (row.flags & QUIET) !== 0) return undefined
  return { type: 'message', place: placeOfRow(place.tenantId, row), authorId: row.author_id, row }
}

async function findCall(database: Queryable, place: Place): Promise<Subject | undefined> {
  const call = await findRinging(database, place.tenantId)
  return call && { type: 'call', place, authorId: call.initiator_id, ringing: call.ringing }
}
