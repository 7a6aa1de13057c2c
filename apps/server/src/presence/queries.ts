import { MAX_LISTED_CONVERSATIONS } from '@foyer/protocol/limits'
import type { ChosenStatus } from '@foyer/protocol/presence'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/**
 * By user, whose presence they are told wherever they are: friends, and those in conversations that they list, of very
 * many those that began last. Nobody whom they block, or who blocks them.
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
 * Users blocked by the user or blocking the user: neither may see the other's presence.
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

/** Returns the statuses that the users chose for all of their devices. Absent for those who chose none. */
export async function listChosenStatuses(
  database: Queryable,
  userIds: readonly string[],
): Promise<Map<string, ChosenStatus>> {
  const rows = await database.query<{ id: string; chosen_status: ChosenStatus }>(sql`
    select id, chosen_status from users where id = any(${userIds}::uuid[]) and chosen_status is not null`)
  return new Map(rows.map(({ id, chosen_status }) => [id, chosen_status]))
}

export async function findChosenStatus(database: Queryable, userId: string): Promise<ChosenStatus> {
  return (await listChosenStatuses(database, [userId])).get(userId) ?? 'online'
}

/** Changes the status of a user who has an account. */
export async function saveChosenStatus(
  database: Queryable,
  userId: string,
  status: ChosenStatus | null,
): Promise<void> {
  await database.query(
    sql`update users set chosen_status = ${status} where id = ${userId} and deleted_at is null`,
  )
}
