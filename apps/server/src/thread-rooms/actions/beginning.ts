import type { Room } from '@foyer/protocol/rooms'
import type { Place } from '#src/channels/place.ts'
import { moveUploads } from '#src/forums/post-queries.ts'
import { beginPost } from '#src/forums/posts.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { lockMessage } from '#src/messages/change-queries.ts'
import type { Draft } from '#src/messages/draft.ts'
import { findThreadOf, insertThread } from '../queries.ts'
import { addFollowers } from './follows.ts'
import { publishThread } from './threads.ts'

/** A thread that is about to begin. */
export interface PlannedThread {
  readonly place: Place
  readonly title: string
  readonly creatorId: string
  /** The user who follows the thread from its beginning; null if the creator is not a person. */
  readonly followerId: string | null
  readonly starterMessageId: string | null
  readonly quietMinutes: number | undefined
  readonly tags: readonly string[]
}

/**
 * Begins a thread in a space locked by `keepSpace` or `holdRoom`. It becomes visible at the commit, together with its first
 * message if the same transaction stores that.
 * @param first the first message. Its files were uploaded to the room
 * @throws ApiError 404 if the starting message is not in the room or a file is gone, 409 if the message already has a thread
 */
export async function beginThread(
  transaction: Transaction,
  room: Pick<Room, 'forum'>,
  thread: PlannedThread,
  first?: Draft,
): Promise<void> {
  const { place, title, tags, followerId } = thread
  await insertPlanned(transaction, thread)
  const openingId = first?.message.id ?? null
  if (room.forum !== undefined) await beginPost(transaction, place, { title, tags, openingId })
  if (first !== undefined) await takeUploads(transaction, place, first)
  await publishThread(transaction, 'THREAD_CREATE', place)
  if (followerId !== null)
    await addFollowers(transaction, place, [followerId], { messageId: null, readerId: followerId })
}

async function insertPlanned(
  transaction: Transaction,
  { place, title, creatorId, starterMessageId, quietMinutes }: PlannedThread,
): Promise<void> {
  const { tenantId: spaceId, channelId: id, parentId: roomId = id } = place
  if (starterMessageId !== null) {
    const message = await lockMessage(transaction, { tenantId: spaceId, channelId: roomId }, starterMessageId)
    if (message === undefined) throw new ApiError('unknown_message')
  }
  const thread = { spaceId, id, roomId, title, creatorId, starterMessageId, quietMinutes }
  if (await insertThread(transaction, thread)) return
  throw threadExists(await findThreadOf(transaction, spaceId, starterMessageId ?? ''))
}

/** @param id of the message's existing thread; undefined if it has been deleted */
export function threadExists(id: string | undefined): ApiError {
  return new ApiError('thread_exists', undefined, id === undefined ? {} : { 'x-thread-id': id })
}

/** Moves the files of the first message, which were uploaded to the room, to the thread. */
async function takeUploads(
  transaction: Transaction,
  { tenantId, channelId: to, parentId: from = to }: Place,
  { fileIds, message }: Draft,
): Promise<void> {
  if (fileIds.length === 0) return
  const uploads = { ids: fileIds, ownerId: message.author.id }
  const taken = new Set(await moveUploads(transaction, { tenantId, from, to }, uploads))
  const lost = fileIds.filter((id) => !taken.has(id))
  if (lost.length > 0)
    throw new ApiError('unknown_attachment', undefined, { 'x-unknown-attachments': lost.join() })
}
