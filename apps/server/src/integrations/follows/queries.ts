import type { Transaction } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** An announcement room. */
export interface Source {
  spaceId: string
  roomId: string
}

/** A follow of an announcement room, by its webhook. */
export interface FollowRow {
  webhook_id: string
  follower_space_id: string
  after_seq: number
}

/** Lists a page of follows, by id. */
export async function listFollows(
  database: Queryable,
  { spaceId, roomId }: Source,
  { after, limit }: { after: string; limit: number },
): Promise<FollowRow[]> {
  return database.query<FollowRow>(sql`
    select webhook_id, follower_space_id, after_seq from room_follows
    where space_id = ${spaceId} and room_id = ${roomId} and webhook_id > ${after}
    order by webhook_id limit ${limit}`)
}

/** Lists the space's rooms that other rooms follow. */
export async function listFollowedRooms(database: Queryable, spaceId: string): Promise<string[]> {
  const rows = await database.query<{ room_id: string }>(sql`
    select distinct room_id from room_follows where space_id = ${spaceId} order by room_id`)
  return rows.map(({ room_id }) => room_id)
}

/** Lists a page of spaces with followed rooms, by id. */
export async function listFollowedSpaces(
  database: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await database.query<{ space_id: string }>(sql`
    select distinct space_id from followed_rooms
    where space_id > ${after} and noted_after is not null order by space_id limit ${limit}`)
  return rows.map(({ space_id }) => space_id)
}

/** Counts the follows whose webhooks exist. Follows of deleted rooms and spaces are deleted later. */
export async function countFollows(database: Queryable, { spaceId, roomId }: Source): Promise<number> {
  const follows = await database.query<FollowRow>(sql`
    select webhook_id, follower_space_id, after_seq from room_follows
    where space_id = ${spaceId} and room_id = ${roomId}`)
  const [row] = await database.query<{ count: number }>(sql`
    select count(*) from webhooks
    join spaces on spaces.id = webhooks.space_id and spaces.deleted_at is null
    join unnest(${follows.map((follow) => follow.follower_space_id)}::uuid[],
      ${follows.map((follow) => follow.webhook_id)}::uuid[]) as follow (space_id, id)
      on webhooks.space_id = follow.space_id and webhooks.id = follow.id`)
  return row?.count ?? 0
}

/** Counts the servers that subscribe to the room's changes. */
export async function countSubscribers(database: Queryable, { spaceId, roomId }: Source): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*) from feed_subscriptions
    where space_id = ${spaceId} and room_id = ${roomId} and kind = 'announcements.json' and lease_until > now()`)
  return row?.count ?? 0
}

/**
 * Locks the announcement room until the transaction ends, so that no other follow of it begins or ends.
 * @returns false for a room that no longer announces
 */
export async function holdSource(transaction: Queryable, { spaceId, roomId }: Source): Promise<boolean> {
  const rooms = await transaction.query(sql`
    select from rooms where space_id = ${spaceId} and id = ${roomId} and announces for share`)
  if (rooms.length === 0) return false
  await transaction.query(sql`
    insert into followed_rooms (space_id, room_id, noted_after) values (${spaceId}, ${roomId}, null)
    on conflict do nothing`)
  await lockFollows(transaction, { spaceId, roomId })
  return true
}

/** Locks the follows of a room, so that no follow begins or ends. */
async function lockFollows(transaction: Queryable, { spaceId, roomId }: Source): Promise<void> {
  await transaction.query(sql`
    select from followed_rooms where space_id = ${spaceId} and room_id = ${roomId} for no key update`)
}

/** Limits noted changes to those that concern a follow, here or on another server. The caller has locked the room. */
async function limitNoted(transaction: Queryable, { spaceId, roomId }: Source): Promise<void> {
  await transaction.query(sql`
    update followed_rooms set noted_after = least(logged_since, (
      select min(after_seq) from room_follows where space_id = ${spaceId} and room_id = ${roomId}))
    where space_id = ${spaceId} and room_id = ${roomId}`)
}

/** Inserts a follow. Only messages written from now on are copied. */
export async function insertFollow(
  transaction: Queryable,
  { spaceId, roomId }: Source,
  follow: Omit<FollowRow, 'after_seq'>,
): Promise<void> {
  await transaction.query(sql`
    insert into room_follows (space_id, room_id, webhook_id, follower_space_id, after_seq)
    select ${spaceId}, ${roomId}, ${follow.webhook_id}, ${follow.follower_space_id}, last_seq
    from message_heads where tenant_id = ${spaceId} and channel_id = ${roomId}`)
  await limitNoted(transaction, { spaceId, roomId })
}

export async function deleteFollows(
  transaction: Transaction,
  source: Source,
  webhookIds: readonly string[],
): Promise<void> {
  if (webhookIds.length === 0) return
  const { spaceId, roomId } = source
  await lockFollows(transaction, source)
  await transaction.query(sql`
    delete from room_follows
    where space_id = ${spaceId} and room_id = ${roomId} and webhook_id = any(${webhookIds}::uuid[])`)
  await limitNoted(transaction, source)
}
