import type { Reaction } from '@foyer/protocol/messages'
import type { Place } from '#src/channels/place.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Lists reactions of one tenant's messages: emojis in order of first use, with counts and the caller's own. */
export async function listReactions(
  database: Queryable,
  { tenantId, channelIds, ids }: { tenantId: string; channelIds: readonly string[]; ids: readonly string[] },
  callerId: string | null,
): Promise<(Reaction & { message_id: string })[]> {
  return database.query(sql`
    select message_id, emoji, count, exists (
        select from reactions
        where reactions.tenant_id = ${tenantId} and reactions.channel_id = reaction_counts.channel_id
          and reactions.message_id = reaction_counts.message_id and reactions.emoji = reaction_counts.emoji
          and user_id = ${callerId}) as me
    from reaction_counts
    where tenant_id = ${tenantId} and (channel_id, message_id) in (
      select * from unnest(${channelIds}::uuid[], ${ids}::uuid[]))
    order by message_id, first_at, emoji`)
}

/** Identifies one reaction. */
export interface ReactionKey {
  place: Place
  messageId: string
  emoji: string
  userId: string
}

/** Lists the users who reacted with the emoji, by id. */
export async function listReactorIds(
  database: Queryable,
  { place, messageId, emoji }: Omit<ReactionKey, 'userId'>,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const rows = await database.query<{ user_id: string }>(sql`
    select user_id from reactions
    where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and message_id = ${messageId}
      and emoji = ${emoji} and (${after}::uuid is null or user_id > ${after})
    order by user_id limit ${limit}`)
  return rows.map((row) => row.user_id)
}

/** Returns false if the reaction existed already. */
export async function insertReaction(
  transaction: Queryable,
  { place, messageId, emoji, userId }: ReactionKey,
): Promise<boolean> {
  const rows = await transaction.query(sql`
    insert into reactions (tenant_id, channel_id, message_id, emoji, user_id)
    values (${place.tenantId}, ${place.channelId}, ${messageId}, ${emoji}, ${userId})
    on conflict do nothing returning user_id`)
  return rows.length > 0
}

/** Returns false if the reaction did not exist. */
export async function deleteReaction(
  transaction: Queryable,
  { place, messageId, emoji, userId }: ReactionKey,
): Promise<boolean> {
  const rows = await transaction.query(sql`
    delete from reactions
    where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and message_id = ${messageId}
      and emoji = ${emoji} and user_id = ${userId}
    returning user_id`)
  return rows.length > 0
}

/**
 * Increments the count.
 * @returns the new count, and the message's number of emojis
 */
export async function countUp(
  transaction: Queryable,
  { place, messageId, emoji }: Omit<ReactionKey, 'userId'>,
): Promise<{ count: number; kinds: number }> {
  // The current time, not the start of the transaction, which may have waited while others reacted.
  const [counted] = await transaction.query<{ count: number }>(sql`
    insert into reaction_counts (tenant_id, channel_id, message_id, emoji, count, first_at)
    values (${place.tenantId}, ${place.channelId}, ${messageId}, ${emoji}, 1, clock_timestamp())
    on conflict (tenant_id, channel_id, message_id, emoji) do update set count = reaction_counts.count + 1
    returning count`)
  const [all] = await transaction.query<{ kinds: number }>(sql`
    select count(*) as kinds from reaction_counts
    where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and message_id = ${messageId}`)
  await transaction.query(sql`
    update messages set has_reactions = true
    where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and id = ${messageId}
      and not has_reactions`)
  return { count: counted?.count ?? 0, kinds: all?.kinds ?? 0 }
}

/**
 * Decrements the count.
 * @returns the new count
 */
export async function countDown(
  transaction: Queryable,
  { place, messageId, emoji }: Omit<ReactionKey, 'userId'>,
): Promise<number> {
  const [left] = await transaction.query<{ count: number }>(sql`
    update reaction_counts set count = count - 1
    where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and message_id = ${messageId}
      and emoji = ${emoji} and count > 1
    returning count`)
  if (left !== undefined) return left.count
  await transaction.query(sql`
    delete from reaction_counts
    where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and message_id = ${messageId}
      and emoji = ${emoji}`)
  await transaction.query(sql`
    update messages set has_reactions = false
    where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and id = ${messageId}
      and not exists (
        select from reaction_counts
        where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and message_id = ${messageId})`)
  return 0
}

export async function unmarkReactions(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  messageId: string,
): Promise<void> {
  await transaction.query(sql`
    update messages set has_reactions = false
    where tenant_id = ${tenantId} and channel_id = ${channelId} and id = ${messageId}`)
}

/**
 * Deletes all reactions of the messages, which are locked or deleted.
 * @returns true if there were any
 */
export async function deleteReactionRows(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  messageIds: readonly string[],
): Promise<boolean> {
  await transaction.query(sql`
    delete from reactions
    where tenant_id = ${tenantId} and channel_id = ${channelId} and message_id = any(${messageIds})`)
  const counts = await transaction.query(sql`
    delete from reaction_counts
    where tenant_id = ${tenantId} and channel_id = ${channelId} and message_id = any(${messageIds})
    returning emoji`)
  return counts.length > 0
}

/** Returns true if the space has the emoji. */
export async function hasEmoji(database: Queryable, spaceId: string, emojiId: string): Promise<boolean> {
  const rows = await database.query(sql`
    select id from space_images where space_id = ${spaceId} and kind = 'emoji' and id = ${emojiId}`)
  return rows.length > 0
}

/** Returns true if one of the user's spaces has the emoji. */
export async function mayUseEmoji(database: Queryable, userId: string, emojiId: string): Promise<boolean> {
  const rows = await database.query(sql`
    select id from space_images join members using (space_id)
    where kind = 'emoji' and id = ${emojiId} and user_id = ${userId}
      and exists (select from spaces where spaces.id = space_id and deleted_at is null)`)
  return rows.length > 0
}
