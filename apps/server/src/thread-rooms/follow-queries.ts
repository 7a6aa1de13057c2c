import type { FollowLevel } from '@foyer/protocol/thread-rooms'
import type { Place } from '#src/channels/place.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Returns the levels at which the user follows these threads, by their ids. */
export async function listFollows(
  database: Queryable,
  userId: string,
  places: readonly Place[],
): Promise<ReadonlyMap<string, FollowLevel>> {
  const rows = await database.query<{ thread_id: string; level: FollowLevel }>(sql`
    select thread_id, level
    from unnest(
      ${places.map(({ tenantId }) => tenantId)}::uuid[], ${places.map(({ channelId }) => channelId)}::uuid[])
      as asked (space_id, thread_id) join thread_follows using (space_id, thread_id)
    where user_id = ${userId}`)
  return new Map(rows.map(({ thread_id, level }) => [thread_id, level]))
}

export async function upsertFollow(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  userId: string,
  level: FollowLevel,
): Promise<void> {
  await transaction.query(sql`
    insert into thread_follows (user_id, thread_id, space_id, level)
    values (${userId}, ${channelId}, ${tenantId}, ${level})
    on conflict (space_id, user_id, thread_id) do update set level = excluded.level`)
}

/** @returns false for a thread that the user did not follow */
export async function deleteFollow(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  userId: string,
): Promise<boolean> {
  const gone = await transaction.query(sql`
    delete from thread_follows
    where user_id = ${userId} and space_id = ${tenantId} and thread_id = ${channelId}
    returning thread_id`)
  return gone.length > 0
}

/** Returns those of the users who do not follow the thread. */
export async function listUnfollowing(
  database: Queryable,
  { tenantId, channelId }: Place,
  userIds: readonly string[],
): Promise<string[]> {
  const rows = await database.query<{ user_id: string }>(sql`
    select user_id from unnest(${userIds}::uuid[]) as asked (user_id)
    where not exists (
      select from thread_follows
      where thread_follows.user_id = asked.user_id and space_id = ${tenantId} and thread_id = ${channelId})`)
  return rows.map(({ user_id }) => user_id)
}

/** Lets the users follow the thread, if it exists. @returns those who did not follow it before */
export async function insertFollows(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  userIds: readonly string[],
): Promise<string[]> {
  const rows = await transaction.query<{ user_id: string }>(sql`
    insert into thread_follows (user_id, thread_id, space_id, level)
    select user_id, id, space_id, 'all'
    from thread_rooms cross join unnest(${userIds}::uuid[]) as named (user_id)
    where space_id = ${tenantId} and id = ${channelId}
    order by user_id
    on conflict do nothing returning user_id`)
  return rows.map(({ user_id }) => user_id)
}
