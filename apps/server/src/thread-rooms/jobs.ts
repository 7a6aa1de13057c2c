import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { enqueueJob, type JobTable } from '#src/kernel/jobs.ts'
import { sweepChannel } from '#src/rooms/sweeps.ts'
import { holdMark } from '#src/search/index-queries.ts'
import { Chain, moveNextReplies } from './actions/chains.ts'
import { publishFollow } from './actions/follows.ts'
import { Merge, mergeNext } from './actions/merging.ts'
import { deleteFollows, deleteThreadWords } from './sweep-queries.ts'

const Payload = Type.Object({ space_id: Type.String(), room_id: Type.String(), thread_id: Type.String() })
type Payload = Static<typeof Payload>
const Followers = Type.Object({ ...Payload.properties, user_ids: Type.Array(Type.String()) })

/** Rows deleted per run and table, the same number as for rooms. */
const SWEEP_BATCH = 5000

/**
 * Jobs that delete the content of deleted threads, continue long merges and moves of reply chains, and publish the follows
 * that a merge creates.
 */
export function threadJobs(deps: { database: Database; downloads: DownloadSigner }): JobTable {
  const { database } = deps
  return {
    handlers: {
      move_replies: (payload) => moveNextReplies(deps, Parse(Chain, payload)),
      merge_thread: (payload) => mergeNext(deps, Parse(Merge, payload)),
      sweep_thread: (payload) => sweepThread(database, Parse(Payload, payload)),
      publish_thread_follows: (payload) => publishFollows(database, Parse(Followers, payload)),
    },
    schedule: [],
  }
}

async function publishFollows(
  database: Database,
  { space_id, room_id, thread_id, user_ids }: Static<typeof Followers>,
): Promise<void> {
  const place = { tenantId: space_id, channelId: thread_id, parentId: room_id }
  await database.transaction(async (transaction) => {
    for (const userId of user_ids) await publishFollow(transaction, place, userId)
  })
}

/** Deletes one batch. The next is a separate job, so that a stopping server waits for one batch only. */
async function sweepThread(database: Database, thread: Payload): Promise<void> {
  await database.transaction(async (transaction) => {
    const isMore = await sweepBatch(transaction, thread)
    if (isMore) await enqueueJob(transaction, 'sweep_thread', thread)
  })
}

/** Deletes the thread's index rows before its messages. These rows have the room's id, and are found by the messages. */
async function sweepBatch(transaction: Transaction, thread: Payload): Promise<boolean> {
  const place = { tenantId: thread.space_id, channelId: thread.thread_id }
  await holdMark(transaction, place)
  const words = await deleteThreadWords(transaction, { ...place, parentId: thread.room_id }, SWEEP_BATCH)
  if (words > 0) return true
  const follows = await deleteFollows(transaction, place, SWEEP_BATCH)
  const isMore = await sweepChannel(transaction, place)
  return isMore || follows === SWEEP_BATCH
}
