import type { Friend } from '@foyer/protocol/friends'
import type { User } from '@foyer/protocol/users'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Lists friends, oldest friendship first. */
export async function listFriends(database: Queryable, userId: string): Promise<Friend[]> {
  const rows = await database.query<User & { since: string }>(sql`
    select since, id, username, alias, avatar, banner, custom, flags, badges, is_bot, email_verified, created_at,
      updated_at, deleted_at
    from friendships join users on id = friend_id
    where user_id = ${userId} order by since, id`)
  return rows.map(({ since, ...user }) => ({ user, since }))
}

/** The relation between two users, with their request counts. */
export interface Relation {
  /** True if the user blocks the other user. */
  is_blocking: boolean
  /** True if the other user blocks the user. */
  is_blocked: boolean
  are_friends: boolean
  /** True if a request is pending, either way. */
  is_pending: boolean
  sent_requests: number
  /** Requests that the other user has received. */
  received_requests: number
}

export async function findRelation(
  transaction: Queryable,
  userId: string,
  otherId: string,
): Promise<Relation> {
  const [relation] = await transaction.query<Relation>(sql`
    select
      exists (select from blocks where user_id = ${userId} and blocked_id = ${otherId}) as is_blocking,
      exists (select from blocks where user_id = ${otherId} and blocked_id = ${userId}) as is_blocked,
      exists (select from friendships where user_id = ${userId} and friend_id = ${otherId}) as are_friends,
      exists (
        select from friend_requests
        where least(sender_id, receiver_id) = least(${userId}::uuid, ${otherId}::uuid)
          and greatest(sender_id, receiver_id) = greatest(${userId}::uuid, ${otherId}::uuid)) as is_pending,
      (select count(*) from friend_requests where sender_id = ${userId}) as sent_requests,
      (select count(*) from friend_requests where receiver_id = ${otherId}) as received_requests`)
  if (relation === undefined) throw new Error('a select of one row had none')
  return relation
}

/** Returns the higher of both users' friend counts. */
export async function countFriends(transaction: Queryable, userIds: readonly string[]): Promise<number> {
  const [row] = await transaction.query<{ count: number }>(sql`
    select count(*) from friendships where user_id = any(${userIds})
    group by user_id order by count desc limit 1`)
  return row?.count ?? 0
}

/** @returns the time of the friendship */
export async function insertFriendship(
  transaction: Queryable,
  userId: string,
  friendId: string,
): Promise<string> {
  const [row] = await transaction.query<{ since: string }>(sql`
    insert into friendships (user_id, friend_id, since)
    values (${userId}, ${friendId}, now()), (${friendId}, ${userId}, now())
    returning since`)
  if (row === undefined) throw new Error('the friendship was not inserted')
  return row.since
}

/** Returns false if they were not friends. */
export async function deleteFriendship(
  transaction: Queryable,
  userId: string,
  friendId: string,
): Promise<boolean> {
  const deleted = await transaction.query(sql`
    delete from friendships
    where (user_id = ${userId} and friend_id = ${friendId}) or (user_id = ${friendId} and friend_id = ${userId})
    returning user_id`)
  return deleted.length > 0
}

/** @returns the ids of the former friends */
export async function deleteFriendshipsOf(transaction: Queryable, userId: string): Promise<string[]> {
  const rows = await transaction.query<{ friend_id: string }>(sql`
    with gone as (
      delete from friendships where user_id = ${userId} or friend_id = ${userId}
      returning user_id, friend_id
    )
    select friend_id from gone where user_id = ${userId} order by friend_id`)
  return rows.map((row) => row.friend_id)
}
