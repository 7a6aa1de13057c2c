import { LEAST_ID } from '@foyer/protocol/ids'
import type { Place } from '#src/channels/place.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { webPresenceColumn } from '#src/kernel/sql/web-presence.ts'

/** The person's profile. The row has further private fields, which are exported as they are. */
export interface Profile {
  id: string
  username: string
  alias: string | null
  email: string | null
  created_at: string
}

export async function findProfile(database: Queryable, userId: string): Promise<Profile | undefined> {
  const [profile] = await database.query<Profile>(sql`
    select id, username, email, email_verified, alias, avatar, banner, custom, custom_until, flags, badges, birthdate, phone,
      ${webPresenceColumn}, chosen_status, chosen_until, created_at, updated_at,
      (select confirmed_at from totp where user_id = users.id) as authenticator_app_since,
      (select count(*) from recovery_codes where user_id = users.id) as recovery_codes
    from users where id = ${userId} and deleted_at is null`)
  return profile
}

/** Finds the next channel, after the given one, with messages of the person. */
export async function nextPlace(
  database: Queryable,
  userId: string,
  { tenantId, channelId }: Place,
): Promise<Place | undefined> {
  const [found] = await database.query<Place & { parentId: string | null }>(sql`
    select tenant_id as "tenantId", channel_id as "channelId", parent_id as "parentId" from messages
    where author_id = ${userId} and (tenant_id, channel_id) > (${tenantId}::uuid, ${channelId}::uuid)
    order by author_id, tenant_id, channel_id limit 1`)
  return found && { ...found, parentId: found.parentId ?? undefined }
}

/** Start of a search with `nextPlace`: sorts before all channels. */
export const FIRST_PLACE: Place = { tenantId: LEAST_ID, channelId: LEAST_ID }

export interface OwnMessage {
  tenant_id: string
  channel_id: string
  id: string
  created_at: string
  edited_at: string | null
  content: string
  type: number
  pinned: boolean
  thread_id: string | null
  /** Id of the message that it replies to. */
  reply_to: string | null
  /** True for a forward: the forwarded text and files do not count as the person's own. */
  is_forward: boolean
  sticker_ids: string[] | null
  /** True if the person attached files. False for a forward, which only has copies. */
  has_files: boolean
}

const UUID_BYTES = 16

/**
 * Lists the ids of the person's messages in a channel, in order, packed into one buffer, because there may be millions.
 * All are read at once: the index by author has no ids, with which it would be ten times as large, so reading pages
 * would make PostgreSQL sort all messages for each page.
 */
export async function listOwnIds(
  database: Queryable,
  userId: string,
  { tenantId, channelId }: Place,
): Promise<OwnIds> {
  const [row] = await database.query<{ ids: Buffer | null }>(sql`
    select string_agg(uuid_send(id), ''::bytea order by id) as ids from messages
    where author_id = ${userId} and tenant_id = ${tenantId} and channel_id = ${channelId}`)
  return new OwnIds(row?.ids ?? Buffer.alloc(0))
}

/** Ids of messages in ascending order, packed into a buffer. */
export class OwnIds {
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get count(): number {
    return this.#bytes.length / UUID_BYTES
  }

  /** Returns the ids from index `start` up to but not including `end`, as hexadecimal digits. */
  slice(start: number, end: number): string[] {
    const last = Math.min(end, this.count)
    const numbers = Array.from({ length: Math.max(0, last - start) }, (_, index) => start + index)
    return numbers.map((number) =>
      this.#bytes.toString('hex', number * UUID_BYTES, (number + 1) * UUID_BYTES),
    )
  }
}

/**
 * Lists the messages that still belong to the person, oldest first. Each message is looked up as the first row from its key
 * on, which only the primary key supports: otherwise PostgreSQL might read all messages of the person, or of the room, for
 * each page.
 */
export async function listOwnMessages(
  database: Queryable,
  userId: string,
  { tenantId, channelId, ids }: Place & { ids: readonly string[] },
): Promise<OwnMessage[]> {
  return database.query<OwnMessage>(sql`
    select tenant_id, channel_id, id, created_at, edited_at, content, type, pinned, thread_id,
      case when reference_type = 0 then reference_message_id end as reply_to,
      reference_type is not distinct from 1 as is_forward, sticker_ids,
      has_files and reference_type is distinct from 1 as has_files
    from unnest(${ids}::uuid[]) as wanted (message_id) cross join lateral (
      select * from messages
      where (tenant_id, channel_id, id) >= (${tenantId}::uuid, ${channelId}::uuid, message_id)
      order by tenant_id, channel_id, id limit 1) as found
    where tenant_id = ${tenantId} and id = message_id and author_id = ${userId} order by id`)
}

export interface ConversationName {
  type: number
  name: string | null
  /** The other user of a direct conversation. */
  other: string | null
}

/** Finds the name of a conversation; undefined if the person is not in it. */
export async function findConversationName(
  database: Queryable,
  userId: string,
  conversationId: string,
): Promise<ConversationName | undefined> {
  const [found] = await database.query<ConversationName>(sql`
    select type, name, (
        select username from conversation_members as member join users on users.id = member.user_id
        where member.conversation_id = conversations.id and member.user_id <> ${userId}
        order by joined_at limit 1) as other
    from conversations join conversation_members as own on own.conversation_id = conversations.id
    where conversations.id = ${conversationId} and own.user_id = ${userId}`)
  return found
}

export async function listPictureIds(database: Queryable, userId: string): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from attachments where tenant_id = ${userId} and state = 'live' order by id`)
  return rows.map(({ id }) => id)
}
