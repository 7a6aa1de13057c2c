import type { Place } from '#src/channels/place.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Returns true for a thread of a forum. */
export async function hasPost(database: Queryable, { tenantId, channelId }: Place): Promise<boolean> {
  const rows = await database.query(sql`select from posts where space_id = ${tenantId} and id = ${channelId}`)
  return rows.length > 0
}

export async function insertPost(
  transaction: Queryable,
  { tenantId, channelId, parentId }: Place,
  { tags, openingId }: { tags: readonly string[]; openingId: string | null },
): Promise<void> {
  await transaction.query(sql`
    insert into posts (space_id, id, room_id, tag_ids, opening_message_id)
    values (${tenantId}, ${channelId}, ${parentId}, ${tags}::uuid[], ${openingId})`)
}

/**
 * Changes the given fields of a post. New tags replace the old ones, except deleted tags: the deletion of a tag can
 * be undone.
 * @param change `known` are the tags that the forum has
 */
export async function changePost(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  {
    tags = null,
    isPinned = null,
    known,
  }: {
    tags: readonly string[] | null | undefined
    isPinned: boolean | null | undefined
    known: readonly string[]
  },
): Promise<void> {
  await transaction.query(sql`
    update posts set
      tag_ids = case when ${tags}::uuid[] is null then tag_ids else ${tags}::uuid[] || array(
        select tag_id from unnest(tag_ids) as tag_id where tag_id <> all(${known}::uuid[])) end,
      is_pinned = coalesce(${isPinned}::boolean, is_pinned)
    where space_id = ${tenantId} and id = ${channelId}`)
}

/** Saves the words of the post's title, by which similar titles are found. */
export async function saveWords(
  transaction: Queryable,
  { tenantId, channelId, parentId }: Place,
  words: readonly string[],
): Promise<void> {
  await transaction.query(sql`
    with gone as (
      delete from post_words
      where space_id = ${tenantId} and post_id = ${channelId} and word <> all(${words}::text[])
    )
    insert into post_words (space_id, room_id, word, post_id)
    select ${tenantId}, ${parentId}::uuid, word, ${channelId} from unnest(${words}::text[]) as word
    on conflict do nothing`)
}

/** Counts the pinned posts. Locks the forum, so that two posts pinned at the same time cannot exceed the limit. */
export async function countPinned(
  transaction: Queryable,
  { spaceId, roomId }: { spaceId: string; roomId: string },
): Promise<number> {
  await transaction.query(sql`
    select from rooms where space_id = ${spaceId} and id = ${roomId} for no key update`)
  const [row] = await transaction.query<{ count: number }>(sql`
    select count(*) from posts where space_id = ${spaceId} and room_id = ${roomId} and is_pinned`)
  return row?.count ?? 0
}

/** Sets the answer of a post; null removes it. */
export async function saveSolution(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  messageId: string | null,
): Promise<void> {
  await transaction.query(sql`
    with touched as (
      update thread_rooms set updated_at = now() where space_id = ${tenantId} and id = ${channelId}
    )
    update posts set solved_message_id = ${messageId} where space_id = ${tenantId} and id = ${channelId}`)
}

/** Removes the answer of a post if it is one of the messages. @returns true if it was */
export async function clearSolution(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  messageIds: readonly string[],
): Promise<boolean> {
  const rows = await transaction.query(sql`
    update posts set solved_message_id = null
    where space_id = ${tenantId} and id = ${channelId} and solved_message_id = any(${messageIds}::uuid[])
    returning id`)
  return rows.length > 0
}

/**
 * Moves files that the author uploaded for a message from one channel to another, where the message will be.
 * @returns the ids of the moved files, without files that are used, expired or not the author's
 */
export async function moveUploads(
  transaction: Queryable,
  { tenantId, from, to }: { tenantId: string; from: string; to: string },
  { ids, ownerId }: { ids: readonly string[]; ownerId: string },
): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(sql`
    update attachments set channel_id = ${to}
    where tenant_id = ${tenantId} and id = any(array(
      select id from attachments
      where tenant_id = ${tenantId} and channel_id = ${from} and id = any(${ids}::uuid[]) and owner_id = ${ownerId}
        and purpose = 'message' and message_id is null and state = 'stored'
      order by id for update))
    returning id`)
  return rows.map(({ id }) => id)
}
