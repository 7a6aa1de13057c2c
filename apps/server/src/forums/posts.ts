import { MAX_PINNED_POSTS } from '@foyer/protocol/limits'
import type { UpdateThreadBody } from '@foyer/protocol/thread-rooms'
import { wordsOf } from '@foyer/protocol/words'
import type { Place } from '#src/channels/place.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { refusalOf } from '#src/spaces/access.ts'
import { type HeldThread, managesThreads } from '#src/thread-rooms/access.ts'
import { changePost, countPinned, insertPost, saveWords } from './post-queries.ts'
import { checkTags } from './tags.ts'

/** Turns a thread that has just begun in a forum into a post. */
export async function beginPost(
  transaction: Queryable,
  place: Place,
  { title, tags, openingId }: { title: string; tags: readonly string[]; openingId: string | null },
): Promise<void> {
  await insertPost(transaction, place, { tags, openingId })
  await saveWords(transaction, place, wordsOf(title))
}

/**
 * Changes the post of a thread.
 * @throws ApiError with the errors of `checkTags`; for `is_pinned`, 400 outside of forums and at the limit of pinned posts,
 * and 403 without ManageThreads
 */
export async function updatePost(
  transaction: Queryable,
  { room, thread }: HeldThread,
  place: Place,
  { title, tags, is_pinned }: Pick<UpdateThreadBody, 'title' | 'tags' | 'is_pinned'>,
): Promise<void> {
  if (tags !== undefined) checkTags(room, tags, thread.tags)
  if (is_pinned !== undefined) await checkPin(transaction, { room, thread }, is_pinned)
  if (room.room.forum === undefined) return
  if (title !== undefined) await saveWords(transaction, place, wordsOf(title))
  if (tags === undefined && is_pinned === undefined) return
  await changePost(transaction, place, { tags, isPinned: is_pinned, known: knownTags(room) })
}

async function checkPin(
  transaction: Queryable,
  { room, thread }: HeldThread,
  isPinned: boolean,
): Promise<void> {
  if (room.room.forum === undefined) throw new ApiError('not_a_forum')
  if (!managesThreads(room)) throw refusalOf(room)
  if (!isPinned || thread.is_pinned) return
  const count = await countPinned(transaction, { spaceId: room.spaceId, roomId: room.room.id })
  if (count >= MAX_PINNED_POSTS) throw new ApiError('too_many_pinned_posts')
}

function knownTags({ room }: HeldThread['room']): string[] {
  return room.forum?.tags.map(({ id }) => id) ?? []
}
