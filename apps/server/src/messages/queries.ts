import type { Message } from '@foyer/protocol/messages'
import type { Queryable } from '#src/kernel/sql.ts'
import { sql } from '#src/kernel/sql.ts'
import { findMembers } from '#src/spaces/queries.ts'
import { findUsers } from '#src/users/queries.ts'

/** Where messages stand: a room of a space. */
export interface Place {
  readonly spaceId: string
  readonly roomId: string
}

interface MessageRow {
  id: string
  seq: number
  author_id: string
  type: number
  content: string
  flags: number
  pinned: boolean
  nonce: string | null
  created_at: string
  edited_at: string | null
}

export interface Page {
  /** A message id; the message may be gone by now. */
  anchor: string
  limit: number
}

/** The newest messages, newest first. */
export async function listNewestMessages(
  database: Queryable,
  place: Place,
  limit: number,
): Promise<Message[]> {
  const rows = await database.query<MessageRow>(sql`
    select id, seq, author_id, type, content, flags, pinned, nonce, created_at, edited_at from messages
    where tenant_id = ${place.spaceId} and channel_id = ${place.roomId}
    order by seq desc limit ${limit}`)
  return withAuthors(database, place, rows)
}

/** Those before the anchor, newest first. An anchor that is gone stands for its nearest older neighbour. */
export async function listMessagesBefore(database: Queryable, place: Place, page: Page): Promise<Message[]> {
  const rows = await database.query<MessageRow>(sql`
    select id, seq, author_id, type, content, flags, pinned, nonce, created_at, edited_at from messages
    where tenant_id = ${place.spaceId} and channel_id = ${place.roomId} and id <> ${page.anchor}
      and seq <= (
        select seq from messages
        where tenant_id = ${place.spaceId} and channel_id = ${place.roomId} and id <= ${page.anchor}
        order by id desc limit 1)
    order by seq desc limit ${page.limit}`)
  return withAuthors(database, place, rows)
}

/** Those next after the anchor, newest first. */
export async function listMessagesAfter(database: Queryable, place: Place, page: Page): Promise<Message[]> {
  const rows = await database.query<MessageRow>(sql`
    select id, seq, author_id, type, content, flags, pinned, nonce, created_at, edited_at from messages
    where tenant_id = ${place.spaceId} and channel_id = ${place.roomId}
      and seq > coalesce((
        select seq from messages
        where tenant_id = ${place.spaceId} and channel_id = ${place.roomId} and id <= ${page.anchor}
        order by id desc limit 1), 0)
    order by seq limit ${page.limit}`)
  return withAuthors(database, place, rows.reverse())
}

export async function findMessage(
  database: Queryable,
  place: Place,
  messageId: string,
): Promise<Message | undefined> {
  const rows = await database.query<MessageRow>(sql`
    select id, seq, author_id, type, content, flags, pinned, nonce, created_at, edited_at from messages
    where tenant_id = ${place.spaceId} and channel_id = ${place.roomId} and id = ${messageId}`)
  const [message] = await withAuthors(database, place, rows)
  return message
}

/** The message that a nonce of the author became within the last 24 hours. */
export async function findMessageIdByNonce(
  database: Queryable,
  place: Place,
  { authorId, nonce }: { authorId: string; nonce: string },
): Promise<string | undefined> {
  const [row] = await database.query<{ message_id: string }>(sql`
    select message_id from message_nonces
    where tenant_id = ${place.spaceId} and channel_id = ${place.roomId}
      and author_id = ${authorId} and nonce = ${nonce}`)
  return row?.message_id
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
): Promise<Pick<Message, 'id' | 'seq'>[]> {
  const heads = await database.query(sql`
    select channel_id from message_heads
    where tenant_id = ${place.spaceId} and channel_id = ${place.roomId} for update`)
  // The messages of a deleted room are swept later than its head.
  if (heads.length === 0) return []
  const deleted = await database.query<Pick<Message, 'id' | 'seq'>>(sql`
    with gone as (
      delete from messages
      where tenant_id = ${place.spaceId} and channel_id = ${place.roomId} and id = any(${ids})
      returning id, seq
    )
    select id, seq from gone order by seq`)
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

/** Three queries a page, whatever its length: the messages, their authors, and those as members. */
async function withAuthors(
  database: Queryable,
  place: Place,
  rows: readonly MessageRow[],
): Promise<Message[]> {
  const authorIds = [...new Set(rows.map((row) => row.author_id))]
  if (authorIds.length === 0) return []
  const [users, members] = await Promise.all([
    findUsers(database, authorIds),
    findMembers(database, place.spaceId, authorIds),
  ])
  const userById = new Map(users.map((user) => [user.id, user]))
  const memberById = new Map(members.map((member) => [member.user_id, member]))
  return rows.flatMap(({ author_id, ...row }) => {
    const author = userById.get(author_id)
    return author ? [{ ...newMessage(place), ...row, author, member: memberById.get(author_id) ?? null }] : []
  })
}

type Blank = Omit<Message, keyof MessageRow | 'author' | 'member'>

/** What every message of a room has in common. */
export function newMessage(place: Place): Blank {
  return {
    room_id: place.roomId,
    conversation_id: null,
    space_id: place.spaceId,
    mentions: [],
    mention_roles: [],
    mention_everyone: false,
    attachments: [],
    embeds: [],
    stickers: [],
    reactions: [],
    reference: null,
    referenced_message: null,
    snapshot: null,
    webhook_id: null,
    application_id: null,
    interaction: null,
  }
}
