import { MAX_MOVED_MESSAGES } from '@foyer/protocol/limits'
import { type Static, Type } from 'typebox'
import type { Place } from '#src/channels/place.ts'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { enqueueFirst, isAnyThere } from '#src/kernel/jobs.ts'
import { holdRoom, type RoomAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import type { ThreadAccess } from '../access.ts'
import { markPastAsRead } from '../follow-queries.ts'
import { countAuthored, joinFollows, listOldestIds, lockHeads, lockMoved } from '../move-queries.ts'
import { lockThreadRow, type ThreadRow } from '../queries.ts'
import { MAX_MOVED_IN_BATCHES, move } from './moving.ts'
import { removeThread, targetOf } from './threads.ts'

interface Deps {
  database: Database
  downloads: DownloadSigner
}

/** A merge that goes on in a job: both threads are in the room. */
export const Merge = Type.Object({
  space_id: Type.String(),
  room_id: Type.String(),
  from_id: Type.String(),
  into_id: Type.String(),
})
export type Merge = Static<typeof Merge>

/**
 * Begins to move all messages of a thread into another thread of the same room: the first batch in one transaction
 * with the entry in the audit log, the others by jobs. The emptied thread is deleted, and its followers follow the
 * other one.
 * @throws ApiError 400 for a thread of another room, the thread itself, one with too many messages, and while either
 * thread is being merged
 */
export async function mergeThread(deps: Deps, from: ThreadAccess, into: ThreadAccess): Promise<void> {
  const { tenantId, channelId, parentId } = from.place
  if (channelId === into.place.channelId) throw new ApiError('merging_itself')
  if (parentId !== into.place.parentId) throw new ApiError('not_movable')
  const { id: room_id } = into.room.room
  const merge = { space_id: tenantId, room_id, from_id: channelId, into_id: into.place.channelId }
  await deps.database.transaction(async (transaction) => {
    const room = await holdRoom(transaction, into.room, 'ManageThreads')
    const thread = await lockMerged(transaction, merge)
    if (thread === undefined) throw new ApiError('unknown_thread')
    // Two merges in opposite directions would move messages back and forth for ever.
    const isMerging = await isAnyThere(transaction, [merge.from_id, merge.into_id].map(keyOf))
    if (isMerging) throw new ApiError('not_movable')
    await recordMerge(transaction, room, thread, merge)
    await mergeSome(transaction, deps, thread, merge)
  })
}

/** Moves the next batch. What is left stays where it is if one of the threads has been deleted, or the other one merged. */
export async function mergeNext(deps: Deps, merge: Merge): Promise<void> {
  await deps.database.transaction(async (transaction) => {
    const thread = await lockMerged(transaction, merge)
    if (thread !== undefined) await mergeSome(transaction, deps, thread, merge)
  })
}

/** Locks both threads. @returns the one that is merged, or undefined if one of them is gone */
async function lockMerged(transaction: Transaction, merge: Merge): Promise<ThreadRow | undefined> {
  const { space_id, from_id, into_id } = merge
  const heads = await lockHeads(transaction, space_id, [from_id, into_id])
  return heads.length === 2 ? lockThreadRow(transaction, { space_id, id: from_id }) : undefined
}

async function recordMerge(
  transaction: Transaction,
  room: RoomAccess,
  thread: ThreadRow,
  { into_id }: Merge,
): Promise<void> {
  const place = { tenantId: thread.space_id, channelId: thread.id }
  const count = await countAuthored(transaction, place, MAX_MOVED_IN_BATCHES + 1)
  if (count > MAX_MOVED_IN_BATCHES) throw new ApiError('not_movable')
  const after = { into_id, count }
  await record(transaction, room, 'thread_merge', {
    ...targetOf(thread),
    before: { title: thread.title },
    after,
  })
}

/** Moves the oldest messages, and deletes the thread with the last ones. Those that are sent until then move, too. */
async function mergeSome(
  transaction: Transaction,
  deps: Deps,
  thread: ThreadRow,
  merge: Merge,
): Promise<void> {
  const { space_id: tenantId, room_id: parentId, from_id, into_id } = merge
  const from = { tenantId, channelId: from_id, parentId }
  const into = { ...from, channelId: into_id }
  // Followers move first: they may not have read the messages that follow.
  await moveFollowers(transaction, from, into)
  const oldest = await listOldestIds(transaction, from, MAX_MOVED_MESSAGES + 1)
  const batch = oldest.slice(0, MAX_MOVED_MESSAGES)
  const ids = (await lockMoved(transaction, tenantId, [from_id], batch)).map(({ id }) => id)
  if (ids.length > 0) await move(transaction, deps, into, { ids, sources: [from_id] })
  if (oldest.length > batch.length) await enqueueFirst(transaction, 'merge_thread', merge, keyOf(from_id))
  // Messages about pins are not moved: they are deleted with the thread.
  else await removeThread(transaction, thread, { merged_into: into_id })
}

const keyOf = (threadId: string) => `merge ${threadId}`

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
