import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database } from '#src/kernel/database/database.ts'
import { enqueueJob, type JobTable } from '#src/kernel/jobs.ts'
import { listRooms } from '#src/spaces/queries.ts'
import { deleteMessages } from './actions/messages.ts'
import { findAuthored } from './authored-queries.ts'

/** Ids per MESSAGE_DELETE_BULK, as in a bulk deletion by request. */
const MAX_DELETED = 100
/** Messages examined per run: 2 to 4 ms. Short runs let a stopping server finish quickly. */
const MAX_PASSED = 5000

const InSpace = Type.Object({
  space_id: Type.String(),
  user_id: Type.String(),
  after: Type.String(),
  before: Type.String(),
})
const InRoom = Type.Object({ ...InSpace.properties, room_id: Type.String() })

/** Deletes a user's messages in a space between two ids. That may take longer than a request's transaction should. */
export function messageJobs({ database }: { database: Database }): JobTable {
  return {
    handlers: {
      delete_messages_of: (payload) => startInRooms(database, Parse(InSpace, payload)),
      delete_messages_in_room: (payload) => deletePage(database, Parse(InRoom, payload)),
    },
    schedule: [],
  }
}

async function startInRooms(database: Database, payload: Static<typeof InSpace>): Promise<void> {
  await database.transaction(async (transaction) => {
    const rooms = await listRooms(transaction, [payload.space_id])
    await Promise.all(
      rooms.map(({ id }) => enqueueJob(transaction, 'delete_messages_in_room', { ...payload, room_id: id })),
    )
  })
}

/** Deletes a page and enqueues the next one in one transaction, so that a run that fails repeats only its own page. */
async function deletePage(database: Database, payload: Static<typeof InRoom>): Promise<void> {
  const { space_id, room_id, user_id, after, before } = payload
  const place = { tenantId: space_id, channelId: room_id }
  const range = { authorId: user_id, after, before }
  await database.transaction(async (transaction) => {
    const limits = { found: MAX_DELETED, passed: MAX_PASSED }
    const { ids, last } = await findAuthored(transaction, place, range, limits)
    if (ids.length > 0) await deleteMessages(transaction, place, ids)
    const next = ids[MAX_DELETED - 1] ?? last
    if (next !== null) await enqueueJob(transaction, 'delete_messages_in_room', { ...payload, after: next })
  })
}
