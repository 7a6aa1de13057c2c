import { MAX_LISTED_CONVERSATIONS } from '@foyer/protocol/limits'
import type { UserStatus } from '@foyer/protocol/presence'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/**
 * Lists, for each user, the users whose presence they receive in every case: friends, and members of listed
 * conversations. If there are very many conversations, only the newest are used. Blocked and blocking users are left out.
 */
export async function listRelated(
  database: Queryable,
  userIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await database.query<{ user_id: string; related_ids: string[] }>(sql`
    select own.user_id, array(
      select related.id from (
        select friend_id as id from friendships where friendships.user_id = own.user_id
        union
        select other.user_id
        from (
          select conversation_id from conversation_members as listed
          where listed.user_id = own.user_id and closed_at is null
          order by conversation_id desc limit ${MAX_LISTED_CONVERSATIONS}) as listed
          join conversation_members as other using (conversation_id)
        where other.user_id <> own.user_id) as related
      where not exists (
        select from blocks
        where (blocks.user_id = own.user_id and blocked_id = related.id)
          or (blocks.user_id = related.id and blocked_id = own.user_id))
      order by related.id) as related_ids
    from unnest(${userIds}::uuid[]) as own (user_id)`)
  return new Map(rows.map(({ user_id, related_ids }) => [user_id, related_ids]))
}

/**
 * Lists users whom the user blocks, or who block the user: neither may see the other's presence.
 * @param otherIds candidates, or null for all
 */
export async function listHidden(
  database: Queryable,
  userId: string,
  otherIds: readonly string[] | null = null,
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select blocked_id as id from blocks
    where user_id = ${userId} and (${otherIds}::uuid[] is null or blocked_id = any(${otherIds}::uuid[]))
    union
    select user_id from blocks
    where blocked_id = ${userId} and (${otherIds}::uuid[] is null or user_id = any(${otherIds}::uuid[]))`)
  return rows.map(({ id }) => id)
}

/** The status of users without a chosen one. */
export const DEFAULT_STATUS: UserStatus = { status: 'online', status_until: null }

/** Returns the statuses that the users chose for all of their devices. Users without one are absent. */
export async function listChosenStatuses(
  database: Queryable,
  userIds: readonly string[],
): Promise<Map<string, UserStatus>> {
  const rows = await database.query<UserStatus & { id: string }>(sql`
    select id, chosen_status as status, chosen_until as status_until
    from users
    where id = any(${userIds}::uuid[]) and chosen_status is not null
      and (chosen_until is null or chosen_until > now())`)
  return new Map(rows.map(({ id, ...chosen }) => [id, chosen]))
}

export async function findChosenStatus(database: Queryable, userId: string): Promise<UserStatus> {
  return (await listChosenStatuses(database, [userId])).get(userId) ?? DEFAULT_STATUS
}

/** Saves the chosen status of a user, unless the account was deleted. */
export async function saveChosenStatus(
  database: Queryable,
  userId: string,
  { status, status_until }: UserStatus,
): Promise<void> {
  const stored = status === DEFAULT_STATUS.status ? null : status
  await database.query(sql`
    update users set chosen_status = ${stored}, chosen_until = ${status_until}
    where id = ${userId} and deleted_at is null`)
}

/** Removes an expired status. Returns true if there was one. */
export async function endChosenStatus(database: Queryable, userId: string): Promise<boolean> {
  const ended = await database.query(sql`
    update users set chosen_status = null, chosen_until = null
    where id = ${userId} and chosen_until <= now() and deleted_at is null
    returning id`)
  return ended.length > 0
}
