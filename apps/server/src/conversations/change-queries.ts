import type { Conversation } from '@foyer/protocol/conversations'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Locks the conversation until the transaction ends: changes of a group and of its members run one after another. */
export async function lockConversation(transaction: Queryable, conversationId: string): Promise<void> {
  await transaction.query(sql`select from conversations where id = ${conversationId} for no key update`)
}

/**
 * Locks the user's groups, always in the same order, so that two users who leave several groups do not deadlock.
 * @returns their ids
 */
export async function lockGroupsOf(transaction: Queryable, userId: string): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(sql`
    select id from conversations
    where type = 2 and id in (select conversation_id from conversation_members where user_id = ${userId})
    order by id for no key update`)
  return rows.map(({ id }) => id)
}

/**
 * Blocks new messages until the transaction ends. A user who is sent the conversation's state then receives every later
 * message.
 */
export async function lockHead(transaction: Queryable, conversationId: string): Promise<void> {
  await transaction.query(sql`
    select from message_heads where tenant_id = ${conversationId} and channel_id = ${conversationId} for share`)
}

export interface NewConversation {
  id: string
  type: number
  name: string | null
  ownerId: string | null
}

/** Inserts the conversation with its head, which messages need. */
export async function insertConversation(
  transaction: Queryable,
  { id, type, name, ownerId }: NewConversation,
): Promise<void> {
  await transaction.query(sql`
    with head as (insert into message_heads (tenant_id, channel_id) values (${id}, ${id}))
    insert into conversations (id, type, name, owner_id) values (${id}, ${type}, ${name}, ${ownerId})`)
}

/** Fails if the two users already have a direct conversation. The caller locks both users. */
export async function insertDirect(
  transaction: Queryable,
  conversationId: string,
  userId: string,
  otherId: string,
): Promise<void> {
  await transaction.query(sql`
    insert into direct_conversations (user_id, other_id, conversation_id)
    values (least(${userId}::uuid, ${otherId}::uuid), greatest(${userId}::uuid, ${otherId}::uuid), ${conversationId})`)
  // The other user sees it listed after the first message.
  await transaction.query(sql`
    insert into conversation_members (conversation_id, user_id, closed_at)
    values (${conversationId}, ${userId}, null), (${conversationId}, ${otherId}, now())`)
}

/**
 * Inserts members, for whom earlier messages count as read. `joined_at` is the time of the statement, so that members are
 * ordered by when they got the lock.
 */
export async function insertMembers(
  transaction: Queryable,
  conversationId: string,
  userIds: readonly string[],
): Promise<void> {
  await transaction.query(sql`
    insert into conversation_members (conversation_id, user_id, joined_at)
    select ${conversationId}, user_id, clock_timestamp() from unnest(${userIds}::uuid[]) as added (user_id)`)
  await transaction.query(sql`
    insert into read_states (user_id, tenant_id, channel_id, last_read_seq)
    select user_id, tenant_id, channel_id, last_seq
    from unnest(${userIds}::uuid[]) as added (user_id)
      join message_heads on tenant_id = ${conversationId} and channel_id = ${conversationId}
    on conflict (user_id, channel_id) do update set last_read_seq = excluded.last_read_seq`)
}

/** Removes a member. Returns false for a user who is not a member. */
export async function deleteMember(
  transaction: Queryable,
  conversationId: string,
  userId: string,
): Promise<boolean> {
  const rows = await transaction.query(sql`
    with setting as (
      delete from notification_settings where tenant_id = ${conversationId} and user_id = ${userId}
    )
    delete from conversation_members where conversation_id = ${conversationId} and user_id = ${userId}
    returning user_id`)
  return rows.length > 0
}

export async function saveGroup(
  transaction: Queryable,
  { id, name, icon, owner_id }: Pick<Conversation, 'id' | 'name' | 'icon' | 'owner_id'>,
): Promise<void> {
  await transaction.query(sql`
    update conversations set name = ${name}, icon = ${icon}, owner_id = ${owner_id} where id = ${id}`)
}

/** Deletes the conversation with its head, so that no more messages can be written. A job sweeps the rest. */
export async function deleteConversation(transaction: Queryable, conversationId: string): Promise<void> {
  await transaction.query(sql`
    with head as (
      delete from message_heads where tenant_id = ${conversationId} and channel_id = ${conversationId}
    )
    delete from conversations where id = ${conversationId}`)
}

/** Deletes the link between the two users. Must come before the conversation itself, while its members are known. */
export async function deleteDirect(transaction: Queryable, conversationId: string): Promise<void> {
  await transaction.query(sql`
    delete from direct_conversations where (user_id, other_id) in (
      select one.user_id, other.user_id
      from conversation_members as one join conversation_members as other using (conversation_id)
      where conversation_id = ${conversationId} and one.user_id < other.user_id)`)
}

/** Closes the conversation for the user. Returns false if it is already closed. */
export async function markClosed(
  transaction: Queryable,
  conversationId: string,
  userId: string,
): Promise<boolean> {
  const rows = await transaction.query(sql`
    update conversation_members set closed_at = now()
    where conversation_id = ${conversationId} and user_id = ${userId} and closed_at is null
    returning user_id`)
  return rows.length > 0
}

/**
 * Lists the conversation again for members who closed it.
 * @param userIds limits this to some members; null for all
 * @returns ids of the members who had closed it
 */
export async function markOpen(
  transaction: Queryable,
  conversationId: string,
  userIds: readonly string[] | null,
): Promise<string[]> {
  const rows = await transaction.query<{ user_id: string }>(sql`
    with closed as materialized (
      select user_id from conversation_members
      where conversation_id = ${conversationId} and closed_at is not null
        and (${userIds}::uuid[] is null or user_id = any(${userIds}::uuid[]))
      -- In one order: two who write at once do not wait for each other in a circle.
      order by user_id for update
    )
    update conversation_members as member set closed_at = null
    from closed where member.conversation_id = ${conversationId} and member.user_id = closed.user_id
    returning member.user_id`)
  return rows.map(({ user_id }) => user_id)
}
