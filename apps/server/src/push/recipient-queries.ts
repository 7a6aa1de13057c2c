import type { NotificationLevel } from '@foyer/protocol/notifications'
import type { Place } from '#src/channels/place.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { AUTHORED_TYPES, type MessageRow, messageColumns } from '#src/messages/rows.ts'

export interface UserPage {
  /** Continue after this id. */
  after: string
  limit: number
}

/** Criteria for the users whom a message in a room may concern. */
export interface Naming {
  authorId: string
  /** Ids of the room, its category and its space. */
  chain: readonly string[]
  userIds: readonly string[]
  roleIds: readonly string[]
  everyone: boolean
}

/**
 * Lists a page of members with subscriptions, by id: members who are mentioned directly, by a role or with @everyone, and
 * members with the level `all`. In a space with 100,000 members, all mentioned, a page takes some 100 ms.
 */
export async function listConcerned(
  database: Queryable,
  spaceId: string,
  { authorId, chain, userIds, roleIds, everyone }: Naming,
  { after, limit }: UserPage,
): Promise<string[]> {
  const rows = await database.query<{ user_id: string }>(sql`
    select user_id from (
      select user_id from members where space_id = ${spaceId} and user_id > ${after} and ${everyone}::boolean
      union
      select user_id from members
      where space_id = ${spaceId} and user_id > ${after} and user_id = any(${userIds}::uuid[])
      union
      select user_id from member_roles
      where space_id = ${spaceId} and user_id > ${after} and role_id = any(${roleIds}::uuid[])
      union
      select user_id from notification_settings
      where tenant_id = ${spaceId} and channel_id = any(${chain}::uuid[]) and level = 'all' and user_id > ${after}
    ) as concerned
    where user_id <> ${authorId}
      and exists (select from push_subscriptions where push_subscriptions.user_id = concerned.user_id)
    order by user_id limit ${limit}`)
  return rows.map(({ user_id }) => user_id)
}

/** The settings that decide about a notification. */
export interface ListenerRow {
  user_id: string
  roles: string[]
  last_read_seq: number
  own_level: NotificationLevel | null
  own_muted_until: string | null
  category_level: NotificationLevel | null
  category_muted_until: string | null
  space_level: NotificationLevel | null
  space_muted_until: string | null
}

/** Returns the given users who are members and do not block the author. */
export async function listRoomListeners(
  database: Queryable,
  { tenantId, channelId }: Place,
  {
    authorId,
    categoryId,
    userIds,
  }: { authorId: string; categoryId: string | null; userIds: readonly string[] },
): Promise<ListenerRow[]> {
  return database.query<ListenerRow>(sql`
    select member.user_id, coalesce(last_read_seq, 0) as last_read_seq,
      array(
        select role_id from member_roles
        where member_roles.space_id = ${tenantId} and member_roles.user_id = member.user_id) as roles,
      own.level as own_level, own.muted_until as own_muted_until,
      category.level as category_level, category.muted_until as category_muted_until,
      space.level as space_level, space.muted_until as space_muted_until
    from members as member
      left join read_states on read_states.user_id = member.user_id and read_states.channel_id = ${channelId}
      left join notification_settings as own
        on own.tenant_id = ${tenantId} and own.channel_id = ${channelId} and own.user_id = member.user_id
      left join notification_settings as category
        on category.tenant_id = ${tenantId} and category.channel_id = ${categoryId} and category.user_id = member.user_id
      left join notification_settings as space
        on space.tenant_id = ${tenantId} and space.channel_id = ${tenantId} and space.user_id = member.user_id
    where member.space_id = ${tenantId} and member.user_id = any(${userIds})
      and not exists (
        select from blocks where blocks.user_id = member.user_id and blocked_id = ${authorId})
    order by member.user_id`)
}

export type ConversationListener = Pick<
  ListenerRow,
  'user_id' | 'last_read_seq' | 'own_level' | 'own_muted_until'
>

/** Returns the given users who are in the conversation and do not block the author. */
export async function listConversationListeners(
  database: Queryable,
  conversationId: string,
  { authorId, userIds }: { authorId: string; userIds: readonly string[] },
): Promise<ConversationListener[]> {
  return database.query<ConversationListener>(sql`
    select member.user_id, coalesce(last_read_seq, 0) as last_read_seq, level as own_level,
      muted_until as own_muted_until
    from conversation_members as member
      left join read_states on read_states.user_id = member.user_id and read_states.channel_id = ${conversationId}
      left join notification_settings as own on own.tenant_id = ${conversationId}
        and own.channel_id = ${conversationId} and own.user_id = member.user_id
    where member.conversation_id = ${conversationId} and member.user_id = any(${userIds})
      and not exists (
        select from blocks where blocks.user_id = member.user_id and blocked_id = ${authorId})
    order by member.user_id`)
}

/** Returns the conversation's call with the users it is ringing for; undefined if it is not ringing. */
export async function findRinging(
  database: Queryable,
  conversationId: string,
): Promise<{ initiator_id: string; ringing: string[] } | undefined> {
  const [call] = await database.query<{ initiator_id: string; ringing: string[] }>(sql`
    select initiator_id, ringing from calls
    where tenant_id = ${conversationId} and ring_until > now() and ringing <> '{}'`)
  return call
}

/**
 * Returns the newest message since the given one that notifies users without mentioning anyone. Messages with mentions are
 * pushed one by one.
 * @param criteria `withoutFlags` are the flags of messages that notify nobody
 */
export async function findNewestPlain(
  database: Queryable,
  { tenantId, channelId }: Place,
  { firstId, withoutFlags }: { firstId: string; withoutFlags: number },
): Promise<MessageRow | undefined> {
  // Reads by id and sorts afterwards. Reading by seq would go back to the first message of a room without a match.
  const [row] = await database.query<MessageRow>(sql`
    with since as materialized (
      select ${messageColumns} from messages
      where tenant_id = ${tenantId} and channel_id = ${channelId} and id >= ${firstId}
        and type = any(${AUTHORED_TYPES}::smallint[]) and flags & ${withoutFlags} = 0
        and not mention_everyone and mention_ids is null and mention_role_ids is null)
    select * from since order by seq desc limit 1`)
  return row
}
