import type { SpaceSticker } from '@foyer/protocol/stickers'
import type { Queryable } from '#src/kernel/sql.ts'
import { sql } from '#src/kernel/sql.ts'
import type { MessageRow, Place } from './rows.ts'

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
    select id, seq, author_id, type, content, flags, pinned, nonce, created_at, edited_at, sticker_ids, has_files
    from messages where tenant_id = ${place.spaceId} and channel_id = ${place.roomId}
    order by seq desc limit ${limit}`)
}

/** Those before the anchor, newest first. An anchor that is gone stands for its nearest older neighbour. */
export async function listRowsBefore(database: Queryable, place: Place, page: Page): Promise<MessageRow[]> {
  return database.query<MessageRow>(sql`
    select id, seq, author_id, type, content, flags, pinned, nonce, created_at, edited_at, sticker_ids, has_files
    from messages where tenant_id = ${place.spaceId} and channel_id = ${place.roomId} and id <> ${page.anchor}
      and seq <= (
        select seq from messages
        where tenant_id = ${place.spaceId} and channel_id = ${place.roomId} and id <= ${page.anchor}
        order by id desc limit 1)
    order by seq desc limit ${page.limit}`)
}

/** Those next after the anchor, newest first. */
export async function listRowsAfter(database: Queryable, place: Place, page: Page): Promise<MessageRow[]> {
  const rows = await database.query<MessageRow>(sql`
    select id, seq, author_id, type, content, flags, pinned, nonce, created_at, edited_at, sticker_ids, has_files
    from messages where tenant_id = ${place.spaceId} and channel_id = ${place.roomId}
      and seq > coalesce((
        select seq from messages
        where tenant_id = ${place.spaceId} and channel_id = ${place.roomId} and id <= ${page.anchor}
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
    select id, seq, author_id, type, content, flags, pinned, nonce, created_at, edited_at, sticker_ids, has_files
    from messages where tenant_id = ${place.spaceId} and channel_id = ${place.roomId} and id = ${messageId}`)
  return row
}

/** The message that a nonce of the author became in the 24 hours before a time. */
export async function findMessageIdByNonce(
  database: Queryable,
  place: Place,
  { authorId, nonce, at }: { authorId: string; nonce: string; at: string },
): Promise<string | undefined> {
  const [row] = await database.query<{ message_id: string }>(sql`
    select message_id from message_nonces
    where tenant_id = ${place.spaceId} and channel_id = ${place.roomId}
      and author_id = ${authorId} and nonce = ${nonce}
      and created_at >= ${at}::timestamptz - interval '24 hours'`)
  return row?.message_id
}

/** Whether messages can be written there: a deleted room loses its head first. */
export async function hasHead(database: Queryable, place: Place): Promise<boolean> {
  const rows = await database.query(sql`
    select channel_id from message_heads
    where tenant_id = ${place.spaceId} and channel_id = ${place.roomId}`)
  return rows.length > 0
}

/** Those of the stickers that the space has, in the order of their ids. */
export async function listStickers(
  database: Queryable,
  spaceId: string,
  ids: readonly string[],
): Promise<SpaceSticker[]> {
  return database.query<SpaceSticker>(sql`
    select space_id, id, name, attachment_id, creator_id, animated, created_at
    from space_images where space_id = ${spaceId} and kind = 'sticker' and id = any(${ids})
    order by id`)
}

/** Changes the content of the author's own message. */
export async function updateContent(
  database: Queryable,
  place: Place,
  edit: { id: string; authorId: string; content: string },
): Promise<boolean> {
  const rows = await database.query(sql`
    update messages set content = ${edit.content}, edited_at = now()
    where tenant_id = ${place.spaceId} and channel_id = ${place.roomId}
      and id = ${edit.id} and author_id = ${edit.authorId}
      -- The messages of a deleted room are swept later than its head.
      and exists (select from message_heads where tenant_id = ${place.spaceId} and channel_id = ${place.roomId})
    returning id`)
  return rows.length > 0
}

export type DeletedRow = Pick<MessageRow, 'id' | 'seq' | 'has_files'>

/**
 * Deletes messages and, where the newest was among them, moves the room's head back to the newest that is left. Who writes
 * or deletes in the room meanwhile waits at the head: of two that delete the newest two, each would take the other's for
 * the newest.
 * @returns those that were there
 */
export async function deleteMessageRows(
  database: Queryable,
  place: Place,
  ids: readonly string[],
): Promise<DeletedRow[]> {
  const heads = await database.query(sql`
    select channel_id from message_heads
    where tenant_id = ${place.spaceId} and channel_id = ${place.roomId} for update`)
  // The messages of a deleted room are swept later than its head.
  if (heads.length === 0) return []
  const deleted = await database.query<DeletedRow>(sql`
    with gone as (
      delete from messages
      where tenant_id = ${place.spaceId} and channel_id = ${place.roomId} and id = any(${ids})
      returning id, seq, has_files
    )
    select id, seq, has_files from gone order by seq`)
  await database.query(sql`
    update message_heads set last_message_id = (
      select id from messages where tenant_id = ${place.spaceId} and channel_id = ${place.roomId}
      order by seq desc limit 1)
    where tenant_id = ${place.spaceId} and channel_id = ${place.roomId} and last_message_id = any(${ids})`)
  return deleted
}

/** Messages of an author in a room, after and before two ids. */
export interface AuthoredRange {
  authorId: string
  after: string
  before: string
}

export interface AuthoredPage {
  /** Those of the author, oldest first. */
  ids: string[]
  /** The newest message that was looked at; null when all were. */
  last: string | null
}

/**
 * Looks at some of the room's messages, whoever's they are: no index has them by author.
 * @param limits how many of the author's to find, and how many to look at
 */
export async function findAuthored(
  database: Queryable,
  place: Place,
  { authorId, after, before }: AuthoredRange,
  limits: { found: number; passed: number },
): Promise<AuthoredPage> {
  const [page] = await database.query<AuthoredPage>(sql`
    with passed as materialized (
      select id, author_id from messages
      where tenant_id = ${place.spaceId} and channel_id = ${place.roomId} and id > ${after} and id < ${before}
      order by id limit ${limits.passed}
    )
    select array(select id from passed where author_id = ${authorId} order by id limit ${limits.found}) as ids,
      (select id from passed order by id offset ${limits.passed - 1} limit 1) as last`)
  return page ?? { ids: [], last: null }
}
