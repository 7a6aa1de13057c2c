import type { SpaceSticker } from '@foyer/protocol/stickers'
import type { Place } from '#src/channels/place.ts'
import type { Queryable } from '#src/kernel/sql.ts'
import { sql } from '#src/kernel/sql.ts'
import { type MessageRow, messageColumns } from './rows.ts'

export interface Page {
  /** A message id; the message may be gone by now. */
  anchor: string
  limit: number
}

/** The newest messages, newest first. */
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

/** Those before the anchor, newest first. An anchor that is gone stands for its nearest older neighbour. */
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

/** Those next after the anchor, newest first. */
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

/** Those of the messages that are there, in any order; of one tenant, and each of its channel. */
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

/** The message that a nonce of the author became in the 24 hours before a time. */
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

/** Whether messages can be written there: a deleted room loses its head first. */
export async function hasHead(database: Queryable, place: Place): Promise<boolean> {
  const rows = await database.query(sql`
    select channel_id from message_heads
    where tenant_id = ${place.tenantId} and channel_id = ${place.channelId}`)
  return rows.length > 0
}

/** Those of the stickers that are there, whichever spaces have them. */
export async function listStickers(database: Queryable, ids: readonly string[]): Promise<SpaceSticker[]> {
  return database.query<SpaceSticker>(sql`
    select space_id, id, name, attachment_id, creator_id, animated, created_at
    from space_images where kind = 'sticker' and id = any(${ids})`)
}

/** Of the spaces, those that the user is in and that are not deleted. */
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
