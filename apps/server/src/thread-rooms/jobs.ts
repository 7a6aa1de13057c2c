import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { enqueueJob, type JobTable } from '#src/kernel/jobs.ts'
import { sweepChannel } from '#src/rooms/sweeps.ts'
import { holdMark } from '#src/search/index-queries.ts'
import { deleteFollows, deleteThreadWords } from './sweep-queries.ts'

const Payload = Type.Object({ space_id: Type.String(), room_id: Type.String(), thread_id: Type.String() })
type Payload = Static<typeof Payload>

/** Rows deleted per run and table, as in rooms. */
const SWEEP_BATCH = 5000

/** Deletes the content of deleted threads. */
export function threadJobs({ database }: { database: Database }): JobTable {
  return {
    handlers: { sweep_thread: (payload) => sweepThread(database, Parse(Payload, payload)) },
    schedule: [],
  }
}

/** Deletes one batch. The next is a job of its own, so that a stopping server waits for one batch only. */
async function sweepThread(database: Database, thread: Payload): Promise<void> {
  await database.transaction(async (transaction) => {
    const isMore = await sweepBatch(transaction, thread)
    if (isMore) await enqueueJob(transaction, 'sweep_thread', thread)
  })
}

/** Words go first: they are found by the messages, because they are kept under the room. */
async function sweepBatch(transaction: Transaction, thread: Payload): Promise<boolean> {
  const place = { tenantId: thread.space_id, channelId: thread.thread_id }
  await holdMark(transaction, place)
  const words = await deleteThreadWords(transaction, { ...place, parentId: thread.room_id }, SWEEP_BATCH)
  if (words > 0) return true
  const follows = await deleteFollows(transaction, place, SWEEP_BATCH)
  const isMore = await sweepChannel(transaction, place)
  return isMore || follows === SWEEP_BATCH
}
