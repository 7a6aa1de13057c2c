import { LEAST_ID } from '@foyer/protocol/ids'
import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database } from '#src/kernel/database/database.ts'
import { enqueueAt, enqueueJob, type JobTable } from '#src/kernel/jobs.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { findNextLog, logAgain, NOTE_MISSED, noteMissed } from './log.ts'
import type { Source } from './queries.ts'

const LOG_ROOM_AGAIN = 'log_room_again'
/** The job for the messages of a user, enqueued by a change of the user. */
const LOG_USER_AGAIN = 'log_user_again'

const Room = Type.Object({ space_id: Type.String(), room_id: Type.String() })
const RoomPiece = Type.Object({ ...Room.properties, after: Type.Optional(Type.String()) })
const UserPiece = Type.Object({
  user_id: Type.String(),
  space_id: Type.Optional(Type.String()),
  room_id: Type.Optional(Type.String()),
  after: Type.Optional(Type.String()),
})

/** Jobs that log messages again, in pieces, after a change of their audience or of the names in them. */
export function logJobs({ database }: { database: Database }): JobTable {
  return {
    handlers: {
      [NOTE_MISSED]: (payload) => noteMissed(database, sourceOf(Parse(Room, payload))),
      [LOG_ROOM_AGAIN]: (payload) => logRoomPiece(database, Parse(RoomPiece, payload)),
      [LOG_USER_AGAIN]: (payload) => logUserPiece(database, Parse(UserPiece, payload)),
    },
    schedule: [],
  }
}

/**
 * Enqueues logging all messages of a room again, after a change of what can be read without an account.
 * @param wholeFrom ISO 8601: the time at which earlier messages become readable, too
 */
export async function enqueueLoggingAgain(
  transaction: Queryable,
  { spaceId, roomId }: Source,
  wholeFrom: string | null = null,
): Promise<void> {
  const room = { space_id: spaceId, room_id: roomId }
  await enqueueJob(transaction, LOG_ROOM_AGAIN, room)
  // All messages are logged once more at the time when earlier messages become readable.
  const later = { runAt: wholeFrom ?? '', key: `log again ${roomId}` }
  if (wholeFrom !== null) await enqueueAt(transaction, LOG_ROOM_AGAIN, room, later)
}

async function logRoomPiece(database: Database, payload: Static<typeof RoomPiece>): Promise<void> {
  const piece = { userId: null, after: payload.after ?? LEAST_ID }
  const last = await logAgain(database, sourceOf(payload), piece)
  if (last !== undefined) await enqueueJob(database, LOG_ROOM_AGAIN, { ...payload, after: last })
}

/** Logs a piece of one room's messages again, and enqueues the next piece. */
async function logUserPiece(database: Database, payload: Static<typeof UserPiece>): Promise<void> {
  const { user_id, space_id = LEAST_ID, room_id = LEAST_ID, after } = payload
  const known = { spaceId: space_id, roomId: room_id }
  const source = after === undefined ? await findNextLog(database, user_id, known) : known
  if (source === undefined) return
  const last = await logAgain(database, source, { userId: user_id, after: after ?? LEAST_ID })
  const next = { user_id, space_id: source.spaceId, room_id: source.roomId }
  await enqueueJob(database, LOG_USER_AGAIN, last === undefined ? next : { ...next, after: last })
}

function sourceOf({ space_id, room_id }: Static<typeof Room>): Source {
  return { spaceId: space_id, roomId: room_id }
}
