import { has, Permission } from '@foyer/protocol/permissions'
import type { Place } from '#src/channels/place.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { lockMessage } from '#src/messages/change-queries.ts'
import { findRow } from '#src/messages/queries.ts'
import { isAuthored } from '#src/messages/rows.ts'
import { checkNotFrozen, refusalOf } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { type HeldThread, holdThread, managesThreads, type ThreadAccess } from '#src/thread-rooms/access.ts'
import { publishThread, targetOf } from '#src/thread-rooms/actions/threads.ts'
import { clearSolution, saveSolution } from './post-queries.ts'

interface Deps {
  database: Database
}

/**
 * Marks a message of a post as its answer.
 * @throws ApiError 400 outside of forums, and for the opening message or a system message; 403 unless the caller created
 * the post, has ManageThreads, or wrote the message and the post has no other answer; 404 for a message of another thread
 */
export async function setSolution(
  { database }: Deps,
  access: ThreadAccess,
  messageId: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const held = await holdPost(transaction, access)
    const message = await lockAnswer(transaction, access.place, messageId)
    const before = held.thread.solved_message_id ?? null
    const isOwn = message.author_id === held.room.caller.user.id && mayWrite(held)
    if (!mayDecide(held) && !(isOwn && (before === null || before === messageId))) throw refusalOf(held.room)
    const isOpening = messageId === held.thread.opening_message_id
    if (isOpening || !isAuthored(message)) throw new ApiError('not_an_answer')
    if (before !== messageId) await change(transaction, held, access.place, messageId)
  })
}

/**
 * Removes the answer of a post.
 * @throws ApiError 400 outside of forums, 403 unless the caller created the post, has ManageThreads, or wrote the answer
 */
export async function removeSolution({ database }: Deps, access: ThreadAccess): Promise<void> {
  await database.transaction(async (transaction) => {
    const held = await holdPost(transaction, access)
    const before = held.thread.solved_message_id ?? null
    const row = before === null ? undefined : await findRow(transaction, access.place, before)
    const isOwn = row?.author_id === held.room.caller.user.id && mayWrite(held)
    if (!mayDecide(held) && !isOwn) throw refusalOf(held.room)
    if (before !== null) await change(transaction, held, access.place, null)
  })
}

async function holdPost(transaction: Transaction, access: ThreadAccess): Promise<HeldThread> {
  const held = await holdThread(transaction, access)
  if (held.room.room.forum === undefined) throw new ApiError('not_a_forum')
  checkNotFrozen(held.room.snapshot.space)
  return held
}

async function lockAnswer(transaction: Transaction, place: Place, messageId: string) {
  const message = await lockMessage(transaction, place, messageId)
  if (message === undefined) throw new ApiError('unknown_message')
  return message
}

function mayDecide(held: HeldThread): boolean {
  const { room, thread } = held
  return (thread.creator_id === room.caller.user.id && mayWrite(held)) || managesThreads(room)
}

function mayWrite({ room }: HeldThread): boolean {
  return has(room.permissions, Permission.SendMessages)
}

async function change(
  transaction: Transaction,
  { room, thread }: HeldThread,
  place: Place,
  messageId: string | null,
): Promise<void> {
  await saveSolution(transaction, place, messageId)
  const after = await publishThread(transaction, 'THREAD_UPDATE', place)
  if (thread.creator_id !== room.caller.user.id)
    await record(transaction, room, 'thread_update', { ...targetOf(after), before: thread, after })
}

/** Removes the answer of a post if it is one of these messages, which were deleted or moved away. */
export async function forgetSolution(
  transaction: Transaction,
  place: Place,
  messageIds: readonly string[],
): Promise<void> {
  if (place.parentId === undefined || messageIds.length === 0) return
  if (await clearSolution(transaction, place, messageIds))
    await publishThread(transaction, 'THREAD_UPDATE', place)
}
