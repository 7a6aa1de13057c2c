import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database } from '#src/kernel/database/database.ts'
import { enqueueJob, type JobTable } from '#src/kernel/jobs.ts'
import { deleteMessages } from './actions/messages.ts'
import { findAuthored, listWrittenIn } from './authored-queries.ts'

/** Ids per MESSAGE_DELETE_BULK, as in a bulk deletion by request. */
const MAX_DELETED = 100
/** Messages examined per run: 2 to 4 ms. Short runs let a stopping server finish quickly. */
const MAX_PASSED = 5000

/**
 * Payload: examines the messages between the common `after` and `before`, and deletes each user's messages that are newer
 * than the user's own `after`.
 */
const InSpace = Type.Object({
  space_id: Type.String(),
  users: Type.Array(Type.Object({ user_id: Type.String(), after: Type.String() })),
  after: Type.String(),
  before: Type.String(),
})
type InSpace = Static<typeof InSpace>
const InRoom = Type.Object({ ...InSpace.properties, room_id: Type.String() })
type InRoom = Static<typeof InRoom>
/** Payload of jobs that were queued by older versions, which had one user per job. */
const OfUser = Type.Object({ user_id: Type.String(), after: Type.String() })

/** The job that deletes messages of some users in a space between two ids. */
export const DELETE_MESSAGES_OF_USERS = 'delete_messages_of_users'
const IN_ROOM = 'delete_messages_of_users_in_room'

/** Deletes users' messages in a space, which may take too long for the transaction of a request. */
export function messageJobs({ database }: { database: Database }): JobTable {
  return {
    handlers: {
      [DELETE_MESSAGES_OF_USERS]: (payload) => startInRooms(database, Parse(InSpace, payload)),
      [IN_ROOM]: (payload) => deletePage(database, Parse(InRoom, payload)),
      delete_messages_of: (payload) => startInRooms(database, Parse(InSpace, ofUsers(payload))),
      delete_messages_in_room: (payload) => deletePage(database, Parse(InRoom, ofUsers(payload))),
    },
    schedule: [],
  }
}

function ofUsers(payload: unknown): unknown {
  const { user_id, after } = Parse(OfUser, payload)
  return { ...Parse(Type.Object({}), payload), users: [{ user_id, after }] }
}

/** Enqueues a job for each room and thread that has newer messages and in which a user wrote. */
async function startInRooms(database: Database, payload: InSpace): Promise<void> {
  const userIds = payload.users.map(({ user_id }) => user_id)
  await database.transaction(async (transaction) => {
    const written = await listWrittenIn(transaction, payload.space_id, { ...payload, userIds })
    await Promise.all(written.map((id) => enqueueJob(transaction, IN_ROOM, { ...payload, room_id: id })))
  })
}

/** Deletes a page and enqueues the next one in one transaction, so that a run that fails repeats only its own page. */
async function deletePage(database: Database, payload: InRoom): Promise<void> {
  const { space_id, room_id, users, after, before } = payload
  const place = { tenantId: space_id, channelId: room_id }
  const authors = users.map(({ user_id, after }) => ({ id: user_id, after }))
  const range = { authors, after, before }
  await database.transaction(async (transaction) => {
    const limits = { found: MAX_DELETED, passed: MAX_PASSED }
    const { ids, last } = await findAuthored(transaction, place, range, limits)
    if (ids.length > 0) await deleteMessages(transaction, place, ids)
    const next = ids[MAX_DELETED - 1] ?? last
    if (next !== null) await enqueueJob(transaction, IN_ROOM, { ...payload, after: next })
  })
}
