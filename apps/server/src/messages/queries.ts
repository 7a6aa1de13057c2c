import type { SpaceSticker } from '@foyer/protocol/stickers'
import type { Place } from '#src/channels/place.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type MessageRow, messageColumns } from './rows.ts'

export interface Page {
  /** A message id. The message may be gone. */
  anchor: string
  limit: number
}

/** Returns the newest messages, newest first. */
export async function listNewestRows(
  database: Queryable,
  place: Place,
  limit: number,
): Promise<MessageRow[]> {
  return database.query<MessageRow>(sql`
    select ${messageColumns}
    from messages where tenant_id = ${place.tenantId} and channel_id = ${place.channelId}
    order by seq desc limit ${limit}`)
}

/** Returns messages before the anchor, newest first. The anchor may be gone. */
export async function listRowsBefore(database: Queryable, place: Place, page: Page): Promise<MessageRow[]> {
  return database.query<MessageRow>(sql`
    select ${messageColumns}
    from messages where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and id <> ${page.anchor}
      and seq <= (
        select seq from messages
        where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and id <= ${page.anchor}
        order by id desc limit 1)
    order by seq desc limit ${page.limit}`)
}

/** Returns the messages that follow the anchor, newest first. */
export async function listRowsAfter(database: Queryable, place: Place, page: Page): Promise<MessageRow[]> {
  const rows = await database.query<MessageRow>(sql`
    select ${messageColumns}
    from messages where tenant_id = ${place.tenantId} and channel_id = ${place.channelId}
      and seq > coalesce((
        select seq from messages
        where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and id <= ${page.anchor}
        order by id desc limit 1), 0)
    order by seq limit ${page.limit}`)
  return rows.reverse()
}

export async function findRow(
  database: Queryable,
  place: Place,
  messageId: string,
): Promise<MessageRow | undefined> {
  const [row] = await database.query<MessageRow>(sql`
    select ${messageColumns}
    from messages where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and id = ${messageId}`)
  return row
}

/** Returns the messages that exist, in any order. They belong to one tenant, each to its own channel. */
export async function findRows(
  database: Queryable,
  tenantId: string,
  messages: readonly { channelId: string; id: string }[],
): Promise<MessageRow[]> {
  return database.query<MessageRow>(sql`
    select ${messageColumns}
    from messages
    where tenant_id = ${tenantId} and (channel_id, id) in (
      select * from unnest(
        ${messages.map(({ channelId }) => channelId)}::uuid[], ${messages.map(({ id }) => id)}::uuid[]))`)
}

/** Returns the oldest message of a channel and its nonce, however long ago it was sent. */
export async function findOldest(
  database: Queryable,
  { tenantId, channelId }: Place,
): Promise<{ id: string; nonce: string | null } | undefined> {
  const [row] = await database.query<{ id: string; nonce: string | null }>(sql`
    select id, nonce from messages where tenant_id = ${tenantId} and channel_id = ${channelId} order by seq limit 1`)
  return row
}

/** Returns the message that an author sent with a nonce in the 24 hours before a time. */
export async function findMessageIdByNonce(
  database: Queryable,
  place: Place,
  { authorId, nonce, at }: { authorId: string; nonce: string; at: string },
): Promise<string | undefined> {
  const [row] = await database.query<{ message_id: string }>(sql`
    select message_id from message_nonces
    where tenant_id = ${place.tenantId} and channel_id = ${place.channelId}
      and author_id = ${authorId} and nonce = ${nonce}
      and created_at >= ${at}::timestamptz - interval '24 hours'`)
  return row?.message_id
}

/** Returns true if the channel takes messages. A deleted room loses its head first. */
export async function hasHead(database: Queryable, place: Place): Promise<boolean> {
  const rows = await database.query(sql`
    select channel_id from message_heads
    where tenant_id = ${place.tenantId} and channel_id = ${place.channelId}`)
  return rows.length > 0
}

/** Returns the existing stickers, of any space that is not deleted. */
export async function listStickers(database: Queryable, ids: readonly string[]): Promise<SpaceSticker[]> {
  return database.query<SpaceSticker>(sql`
    select space_id, id, name, attachment_id, creator_id, animated, created_at
    from space_images where kind = 'sticker' and id = any(${ids})
      and exists (select from spaces where spaces.id = space_id and deleted_at is null)`)
}

/** Returns the ids of the given spaces that exist and of which the user is a member. */
export async function listSpacesOf(
  database: Queryable,
  userId: string,
  spaceIds: readonly string[],
): Promise<string[]> {
  const rows = await database.query<{ space_id: string }>(sql`
    select space_id from members join spaces on spaces.id = space_id
    where user_id = ${userId} and space_id = any(${spaceIds}) and deleted_at is null`)
  return rows.map((row) => row.space_id)
}
