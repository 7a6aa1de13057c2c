import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database } from '#src/kernel/database/database.ts'
import { enqueueJob, type JobTable } from '#src/kernel/jobs.ts'
import { sweepChannel } from './sweeps.ts'
import { deleteThreadsOf } from './thread-queries.ts'

const Payload = Type.Object({ space_id: Type.String(), room_id: Type.String() })

/** Threads per run. Each is then swept by a job of its own. */
const THREADS_BATCH = 100

/** Deletes the content of deleted rooms, which may take longer than a request's transaction should. */
export function roomJobs({ database }: { database: Database }): JobTable {
  return {
    handlers: { sweep_room: (payload) => sweepRoom(database, Parse(Payload, payload)) },
    schedule: [],
  }
}

/** Deletes one batch. The next batch is a separate job, so that a stopping server waits for one batch only. */
async function sweepRoom(database: Database, room: Static<typeof Payload>): Promise<void> {
  const channel = { tenantId: room.space_id, channelId: room.room_id }
  await database.transaction(async (transaction) => {
    const threadIds = await deleteThreadsOf(
      transaction,
      { spaceId: room.space_id, roomId: room.room_id },
      THREADS_BATCH,
    )
    for (const thread_id of threadIds) await enqueueJob(transaction, 'sweep_thread', { ...room, thread_id })
    const isMore = await sweepChannel(transaction, channel)
    if (isMore || threadIds.length === THREADS_BATCH) await enqueueJob(transaction, 'sweep_room', room)
  })
}
