import { MAX_PINNED_POSTS } from '@foyer/protocol/limits'
import { RoomType } from '@foyer/protocol/rooms'
import { wordsOf } from '@foyer/protocol/words'
import type { Database } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { PlacedThread } from '../reading/archive.ts'
import { ArchiveError } from '../reading/archive-error.ts'
import { keepBuilding } from './keeping.ts'
import { newIdOf, type Plan } from './plan.ts'

/** An imported thread of a forum as a row of `posts`, with the words of its title. */
export interface BuiltPost {
  id: string
  room_id: string
  tag_ids: string[]
  is_pinned: boolean
  solved_message_id: string | null
  opening_message_id: string | null
  created_at: string
  words: string[]
}

/**
 * Returns the row of a post; undefined for a thread of a text room.
 * @throws ArchiveError for a tag of another forum, and for a thread of a text room with fields that only posts have
 */
export function plannedPost(
  { space, tags: tagIds, ids }: Plan,
  { thread, where }: PlacedThread,
  { id, room_id, created_at }: Pick<BuiltPost, 'id' | 'room_id' | 'created_at'>,
): BuiltPost | undefined {
  const { tags = [], is_pinned = false, solved_message_id, opening_message_id, title } = thread
  const room = space.rooms.find((room) => room.id === thread.room_id)
  if (room?.type !== RoomType.Forum) {
    const isPost = tags.length > 0 || is_pinned || (solved_message_id ?? opening_message_id) !== undefined
    if (isPost)
      throw new ArchiveError(`${where}: only threads of forums have tags, pins, answers and openings`)
    return undefined
  }
  const known = new Set(room.forum?.tags.map((tag) => tag.id))
  if (!tags.every((tag) => known.has(tag))) throw new ArchiveError(`${where}: its forum has no such tag`)
  return {
    ...{ id, room_id, created_at, is_pinned, words: wordsOf(title) },
    tag_ids: tags.map((tag) => newIdOf(tagIds, tag)),
    solved_message_id: solved_message_id === undefined ? null : ids.of(id, solved_message_id),
    opening_message_id: opening_message_id === undefined ? null : ids.of(id, opening_message_id),
  }
}

export async function insertPosts(
  transaction: Queryable,
  spaceId: string,
  posts: readonly BuiltPost[],
): Promise<void> {
  if (posts.length === 0) return
  const words = posts.flatMap(({ id, room_id, words }) =>
    words.map((word) => ({ post_id: id, room_id, word })),
  )
  await transaction.query(sql`
    insert into posts (space_id, id, room_id, tag_ids, is_pinned, solved_message_id, opening_message_id, created_at)
    select ${spaceId}, id, room_id, tag_ids, is_pinned, solved_message_id, opening_message_id, created_at
    from jsonb_to_recordset(${JSON.stringify(posts)}::jsonb) as post (
      id uuid, room_id uuid, tag_ids uuid[], is_pinned boolean, solved_message_id uuid, opening_message_id uuid,
      created_at timestamptz)`)
  await transaction.query(sql`
    insert into post_words (space_id, room_id, word, post_id)
    select ${spaceId}, room_id, word, post_id
    from jsonb_to_recordset(${JSON.stringify(words)}::jsonb) as given (post_id uuid, room_id uuid, word text)`)
}

/**
 * Corrects the imported posts. A post without an opening message gets its first message as the opening. An answer is removed
 * if it is the opening, or not a message of the archive. Posts beyond a forum's MAX_PINNED_POSTS are unpinned.
 */
export async function correctPosts(database: Database, spaceId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await keepBuilding(transaction, spaceId)
    await transaction.query(sql`
      update posts set opening_message_id = messages.id from messages
      where space_id = ${spaceId} and opening_message_id is null
        and tenant_id = ${spaceId} and channel_id = posts.id and seq = 1`)
    await transaction.query(sql`
      update posts set solved_message_id = null
      where space_id = ${spaceId} and solved_message_id is not null and not exists (
        select from messages
        where tenant_id = ${spaceId} and channel_id = posts.id and messages.id = solved_message_id
          and messages.id is distinct from opening_message_id)`)
    await transaction.query(sql`
      update posts set is_pinned = false
      where space_id = ${spaceId} and is_pinned and id in (
        select id from (
          select id, row_number() over (partition by room_id order by created_at, id) as place
          from posts where space_id = ${spaceId} and is_pinned) as pinned
        where place > ${MAX_PINNED_POSTS})`)
  })
}
