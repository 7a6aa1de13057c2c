import { MAX_MUTUAL } from '@foyer/protocol/limits'
import type { MutualSpace, User } from '@foyer/protocol/users'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { userColumns } from './queries.ts'

export interface Pair {
  readonly callerId: string
  readonly userId: string
}

/**
 * Lists the spaces that both users are members of, with the other user's nickname. Deleted spaces keep their members, so
 * they are excluded.
 */
export async function listMutualSpaces(
  database: Queryable,
  { callerId, userId }: Pair,
): Promise<MutualSpace[]> {
  return database.query<MutualSpace>(sql`
    select space_id as id, other.nickname
    from members as other join spaces on spaces.id = other.space_id and spaces.deleted_at is null
    where other.user_id = ${userId} and exists (
      select from members as own where own.space_id = other.space_id and own.user_id = ${callerId})
    order by space_id limit ${MAX_MUTUAL}`)
}

/**
 * Lists common friends, only for users who are friends or share a space: a stranger with one friend in common could
 * otherwise probe, name by name, whom that friend knows. Blocks are ignored, so the answer reveals none.
 */
export async function listMutualFriends(database: Queryable, { callerId, userId }: Pair): Promise<User[]> {
  return database.query<User>(sql`
    select ${userColumns}
    from users where id in (
      select own.friend_id from friendships as own
      join friendships as other on other.friend_id = own.friend_id and other.user_id = ${userId}
      where own.user_id = ${callerId})
    and (
      exists (select from friendships where user_id = ${callerId} and friend_id = ${userId})
      or exists (
        select from members as own
        join members as other on other.space_id = own.space_id and other.user_id = ${userId}
        join spaces on spaces.id = own.space_id and spaces.deleted_at is null
        where own.user_id = ${callerId}))
    order by username limit ${MAX_MUTUAL}`)
}
