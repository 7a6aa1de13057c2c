import { MAX_MOVED_MESSAGES } from '@foyer/protocol/limits'
import { type Static, Type } from 'typebox'
import type { Place } from '#src/channels/place.ts'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { enqueueFirst } from '#src/kernel/jobs.ts'
import { holdRoom, type RoomAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import type { ThreadAccess } from '../access.ts'
import { markPastAsRead } from '../follow-queries.ts'
import {
  countAuthored,
  isMerging,
  joinFollows,
  listMerges,
  listOldestIds,
  saveMerge,
} from '../merge-queries.ts'
import { lockHeads, lockMoved } from '../move-queries.ts'
import { lockThreadRow, type ThreadRow } from '../queries.ts'
import { MAX_MOVED_IN_BATCHES, move } from './moving.ts'
import { removeThread, targetOf } from './threads.ts'

interface Deps {
  database: Database
  downloads: DownloadSigner
}

/** Payload of the job that continues the merge of two threads of a room. */
export const Merge = Type.Object({ space_id: Type.String(), from_id: Type.String(), into_id: Type.String() })
export type Merge = Static<typeof Merge>

/**
 * Begins to move all messages of a thread into another thread of the same room: the first batch in one transaction with the
 * audit log entry, the other batches by jobs. At the end, the empty thread is deleted. Its followers follow the other
 * thread.
 * @throws ApiError 400 for threads of different rooms, for a thread and itself, and for a thread with too many messages; 409
 * if `into` is being merged, or `from` is being merged into a third thread
 */
export async function mergeThread(deps: Deps, from: ThreadAccess, into: ThreadAccess): Promise<void> {
  const [fromId, intoId] = [from.place.channelId, into.place.channelId]
  if (fromId === intoId) throw new ApiError('merging_itself')
  if (from.place.parentId !== into.place.parentId) throw new ApiError('not_movable')
  const spaceId = from.place.tenantId
  await deps.database.transaction(async (transaction) => {
    const room = await holdRoom(transaction, into.room, 'ManageThreads')
    const heads = await lockHeads(transaction, spaceId, [fromId, intoId])
    const thread = await lockThreadRow(transaction, { space_id: spaceId, id: fromId })
    if (thread === undefined || heads.length < 2) throw new ApiError('unknown_thread')
    const merges = await listMerges(transaction, spaceId, [fromId, intoId])
    // Two merges in opposite directions would move messages back and forth forever.
    const known = merges.get(fromId) ?? null
    if (merges.get(intoId) !== null || (known !== null && known !== intoId))
      throw new ApiError('thread_merging')
    await recordMerge(transaction, room, thread, into.place)
    const isDone = await mergeSome(transaction, deps, thread, into.place)
    if (!isDone && known === null) await saveMerge(transaction, from.place, intoId)
  })
}

/**
 * Moves the next batch. Does nothing if the merged thread or its room has been deleted. If the target thread is gone, ends
 * the merge, and the remaining messages stay where they are.
 */
export async function mergeNext(deps: Deps, merge: Merge): Promise<void> {
  const { space_id, from_id, into_id } = merge
  await deps.database.transaction(async (transaction) => {
    const heads = await lockHeads(transaction, space_id, [from_id, into_id])
    const thread = await lockThreadRow(transaction, { space_id, id: from_id })
    if (thread === undefined || !(await isMerging(transaction, merge))) return
    const place = { tenantId: space_id, parentId: thread.room_id }
    if (heads.includes(into_id)) await mergeSome(transaction, deps, thread, { ...place, channelId: into_id })
    else await saveMerge(transaction, { ...place, channelId: from_id }, null)
  })
}

async function recordMerge(
  transaction: Transaction,
  room: RoomAccess,
  thread: ThreadRow,
  into: Place,
): Promise<void> {
  const place = { tenantId: thread.space_id, channelId: thread.id }
  const count = await countAuthored(transaction, place, MAX_MOVED_IN_BATCHES + 1)
  if (count > MAX_MOVED_IN_BATCHES) throw new ApiError('not_movable')
  await record(transaction, room, 'thread_merge', {
    ...targetOf(thread),
    before: { title: thread.title },
    after: { into_id: into.channelId, count },
  })
}

/**
 * Moves the oldest messages, including those that were sent after the merge began. Deletes the thread after the last batch.
 * @returns true if the thread is deleted; false if a job continues the merge
 */
async function mergeSome(
  transaction: Transaction,
  deps: Deps,
  thread: ThreadRow,
  into: Place,
): Promise<boolean> {
  const from = { ...into, channelId: thread.id }
  // Followers move first: this marks the target's messages as read for them, and the moved ones then count as unread.
  await moveFollowers(transaction, from, into)
  const oldest = await listOldestIds(transaction, from, MAX_MOVED_MESSAGES + 1)
  const batch = oldest.slice(0, MAX_MOVED_MESSAGES)
  const ids = (await lockMoved(transaction, into.tenantId, [thread.id], batch)).map(({ id }) => id)
  if (ids.length > 0) await move(transaction, deps, into, { ids, sources: [thread.id] })
  if (oldest.length > batch.length) {
    const merge: Merge = { space_id: into.tenantId, from_id: thread.id, into_id: into.channelId }
    await enqueueFirst(transaction, 'merge_thread', merge)
    return false
  }
  // Messages about pins are not moved: they are deleted with the thread.
  await removeThread(transaction, thread, { merged_into: into.channelId })
  return true
}

/** Followers notified in one transaction. */
const FOLLOWERS_PER_TRANSACTION = 100

/**
 * Makes the followers of a thread follow another one, and publishes that to them by jobs, because the transaction holds
 * the heads and must be short.
 */
async function moveFollowers(transaction: Transaction, from: Place, into: Place): Promise<void> {
  const userIds = await joinFollows(transaction, from, into)
  await markPastAsRead(transaction, into, userIds, { messageId: null, readerId: null })
  const thread = { space_id: into.tenantId, room_id: into.parentId, thread_id: into.channelId }
  for (let first = 0; first < userIds.length; first += FOLLOWERS_PER_TRANSACTION) {
    const user_ids = userIds.slice(first, first + FOLLOWERS_PER_TRANSACTION)
    await enqueueFirst(transaction, 'publish_thread_follows', { ...thread, user_ids })
  }
}
