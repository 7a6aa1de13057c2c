import { MAX_MOVED_MESSAGES } from '@foyer/protocol/limits'
import { type Static, Type } from 'typebox'
import type { Place } from '#src/channels/place.ts'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { enqueueFirst } from '#src/kernel/jobs.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { Draft } from '#src/messages/draft.ts'
import { findRow } from '#src/messages/queries.ts'
import type { RoomAccess } from '#src/spaces/access.ts'
import { countReplies, listOldestReplyIds } from '../chain-queries.ts'
import { lockHeads } from '../move-queries.ts'
import { beginThread, type PlannedThread } from './beginning.ts'
import { MAX_MOVED_IN_BATCHES, move, recordMove } from './moving.ts'

/** A chain of replies that moves into the thread that began from its first message. */
export const Chain = Type.Object({
  space_id: Type.String(),
  room_id: Type.String(),
  thread_id: Type.String(),
  /** The first message of the chain, which stays in the room. */
  message_id: Type.String(),
})
export type Chain = Static<typeof Chain>

interface Deps {
  downloads: DownloadSigner
}

/**
 * Counts the replies that would move into a thread of the message.
 * @throws ApiError 404 for a message that is not in the room, 400 for a message that is a reply itself or has too many
 * replies
 */
export async function countChain(database: Queryable, room: Place, messageId: string): Promise<number> {
  const first = await findRow(database, room, messageId)
  if (first === undefined) throw new ApiError('unknown_message')
  const count = await countReplies(database, room, messageId, MAX_MOVED_IN_BATCHES + 1)
  if (first.thread_id !== null || count > MAX_MOVED_IN_BATCHES) throw new ApiError('not_movable')
  return count
}

/**
 * Begins a thread in a room held by `holdRoom`, and moves the replies to its starting message into it: the first batch in
 * the same transaction, the other batches by jobs. The room's head is locked first, as the message writer does.
 * @throws ApiError with the errors of `countChain` and `beginThread`
 */
export async function beginWithReplies(
  transaction: Transaction,
  deps: Deps,
  room: RoomAccess,
  { thread, messageId, first }: { thread: PlannedThread; messageId: string; first: Draft | undefined },
): Promise<void> {
  const { tenantId, channelId } = thread.place
  const roomId = room.room.id
  await lockHeads(transaction, tenantId, [roomId])
  const count = await countChain(transaction, { tenantId, channelId: roomId }, messageId)
  await beginThread(transaction, room.room, thread, first)
  if (count === 0) return
  const chain = { space_id: tenantId, room_id: roomId, thread_id: channelId, message_id: messageId }
  await moveSome(transaction, deps, chain)
  const target = { id: channelId, title: thread.title, room_id: roomId }
  await recordMove(transaction, room, target, { from: roomId, count })
}

/** Moves the next batch of a chain. If the thread has been deleted or merged, the remaining replies stay in the room. */
export async function moveNextReplies(deps: Deps & { database: Database }, chain: Chain): Promise<void> {
  await deps.database.transaction(async (transaction) => {
    const heads = await lockHeads(transaction, chain.space_id, [chain.room_id, chain.thread_id])
    if (heads.length === 2) await moveSome(transaction, deps, chain)
  })
}

/** Moves the oldest replies, and enqueues a job if more are left. Replies that are sent before the last batch move, too. */
async function moveSome(transaction: Transaction, deps: Deps, chain: Chain): Promise<void> {
  const { space_id: tenantId, room_id: roomId, thread_id: channelId } = chain
  const room = { tenantId, channelId: roomId }
  const oldest = await listOldestReplyIds(transaction, room, chain.message_id, MAX_MOVED_MESSAGES + 1)
  const ids = oldest.slice(0, MAX_MOVED_MESSAGES)
  if (ids.length === 0) return
  await move(transaction, deps, { tenantId, channelId, parentId: roomId }, { ids, sources: [roomId] })
  if (oldest.length > ids.length) await enqueueFirst(transaction, 'move_replies', chain)
}
