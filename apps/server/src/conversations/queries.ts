import type { Conversation } from '@foyer/protocol/conversations'
import { MAX_LISTED_CONVERSATIONS } from '@foyer/protocol/limits'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { findUsers } from '#src/people/users/queries.ts'

/** The data on which permissions in a conversation depend. */
export interface ConversationRow {
  readonly id: string
  readonly type: number
  readonly owner_id: string | null
  /** Members in the order of joining. */
  readonly members: readonly ConversationMember[]
  readonly memberIds: readonly string[]
}

export interface ConversationMember {
  readonly user_id: string
  /** Null while the conversation is listed for the member. */
  readonly closed_at: string | null
}

/** Returns undefined for a conversation without members. */
export async function findConversationRow(
  database: Queryable,
  conversationId: string,
): Promise<ConversationRow | undefined> {
  const members = await database.query<ConversationMember & Pick<ConversationRow, 'type' | 'owner_id'>>(sql`
    select type, owner_id, user_id, closed_at
    from conversations join conversation_members on conversation_id = id
    where id = ${conversationId} order by joined_at, user_id`)
  const [first] = members
  if (first === undefined) return undefined
  const memberIds = members.map(({ user_id }) => user_id)
  return { id: conversationId, type: first.type, owner_id: first.owner_id, members, memberIds }
}

type ListedRow = Omit<Conversation, 'recipients'> & { member_ids: string[] }

const listedColumns = fragment`
  id, type, name, icon, owner_id, conversations.created_at, last_message_id, coalesce(last_seq, 0) as last_seq,
  array(
    select user_id from conversation_members as other
    where other.conversation_id = id order by joined_at, user_id) as member_ids`

/**
 * Lists the user's open conversations, newest message first. Always runs two queries.
 * @param ids conversations to include; null for all
 */
export async function listConversations(
  database: Queryable,
  userId: string,
  ids: readonly string[] | null = null,
): Promise<Conversation[]> {
  const rows = await database.query<ListedRow>(sql`
    select ${listedColumns}
    from conversation_members as own join conversations on id = own.conversation_id
      left join message_heads on tenant_id = id and channel_id = id
    where own.user_id = ${userId} and own.closed_at is null and (${ids}::uuid[] is null or id = any(${ids}::uuid[]))
    order by coalesce(last_message_id, id) desc, id
    limit ${MAX_LISTED_CONVERSATIONS}`)
  return withRecipients(database, rows)
}

/** Returns the conversation as all members see it. */
export async function findConversation(
  database: Queryable,
  conversationId: string,
): Promise<Conversation | undefined> {
  const rows = await database.query<ListedRow>(sql`
    select ${listedColumns}
    from conversations left join message_heads on tenant_id = id and channel_id = id
    where id = ${conversationId}`)
  const [conversation] = await withRecipients(database, rows)
  return conversation
}

/** Returns the ids of all the user's open conversations. */
export async function listOpenIds(database: Queryable, userId: string): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select conversation_id as id from conversation_members
    where user_id = ${userId} and closed_at is null order by conversation_id`)
  return rows.map(({ id }) => id)
}

/** Returns true if one of the two users blocks the other. */
export async function isBlocked(database: Queryable, userId: string, otherId: string): Promise<boolean> {
  const rows = await database.query(sql`
    select user_id from blocks
    where (user_id = ${userId} and blocked_id = ${otherId}) or (user_id = ${otherId} and blocked_id = ${userId})
    limit 1`)
  return rows.length > 0
}

export async function isDeleted(database: Queryable, userId: string): Promise<boolean> {
  const rows = await database.query(sql`select id from users where id = ${userId} and deleted_at is null`)
  return rows.length === 0
}

/**
 * Returns the users in `otherIds` with whom the user may start a conversation: friends, and members of a common
 * space, without blocks.
 */
export async function listApproachable(
  database: Queryable,
  userId: string,
  otherIds: readonly string[],
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select other.id from unnest(${otherIds}::uuid[]) as other (id)
    where not exists (
        select from blocks
        where (user_id = ${userId} and blocked_id = other.id) or (user_id = other.id and blocked_id = ${userId}))
      and (
        exists (select from friendships where user_id = ${userId} and friend_id = other.id)
        or exists (
          select from members as theirs
            join members as own on own.space_id = theirs.space_id and own.user_id = ${userId}
            join spaces on spaces.id = theirs.space_id and deleted_at is null
          where theirs.user_id = other.id))
    order by other.id`)
  return rows.map(({ id }) => id)
}

/** Finds the direct conversation of the two users. */
export async function findDirectId(
  database: Queryable,
  userId: string,
  otherId: string,
): Promise<string | undefined> {
  const [row] = await database.query<{ conversation_id: string }>(sql`
    select conversation_id from direct_conversations
    where user_id = least(${userId}::uuid, ${otherId}::uuid) and other_id = greatest(${userId}::uuid, ${otherId}::uuid)`)
  return row?.conversation_id
}

/** Lists the user's direct conversations in which both accounts are deleted. */
export async function listAbandoned(database: Queryable, userId: string, limit: number): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from conversation_members as own join conversations on id = own.conversation_id
    where own.user_id = ${userId} and type = 1 and not exists (
      select from conversation_members as member join users on users.id = member.user_id
      where member.conversation_id = own.conversation_id and deleted_at is null)
    order by id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Returns the highest number of groups that any of the given users is in. */
export async function countGroups(database: Queryable, userIds: readonly string[]): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*) from conversation_members join conversations on id = conversation_id
    where user_id = any(${userIds}) and type = 2
    group by user_id order by count desc limit 1`)
  return row?.count ?? 0
}

async function withRecipients(database: Queryable, rows: readonly ListedRow[]): Promise<Conversation[]> {
  if (rows.length === 0) return []
  const users = await findUsers(database, [...new Set(rows.flatMap(({ member_ids }) => member_ids))])
  const byId = new Map(users.map((user) => [user.id, user]))
  return rows.map(({ member_ids, ...conversation }) => ({
    ...conversation,
    recipients: member_ids.flatMap((id) => byId.get(id) ?? []),
  }))
}
