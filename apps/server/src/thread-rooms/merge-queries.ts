import type { Place } from '#src/channels/place.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { AUTHORED_TYPES } from '#src/messages/rows.ts'

/** Returns, by thread id, the thread into which each thread is being merged; null for none. */
export async function listMerges(
  database: Queryable,
  spaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await database.query<{ id: string; into_id: string | null }>(sql`
    select thread.id, target.id as into_id
    from thread_rooms as thread
      left join thread_rooms as target on target.space_id = thread.space_id and target.id = thread.merging_into
    where thread.space_id = ${spaceId} and thread.id = any(${ids}::uuid[])`)
  return new Map(rows.map(({ id, into_id }) => [id, into_id]))
}

/** Returns true while `from_id` is being merged into `into_id` and its room exists. */
export async function isMerging(
  database: Queryable,
  { space_id, from_id, into_id }: { space_id: string; from_id: string; into_id: string },
): Promise<boolean> {
  const rows = await database.query(sql`
    select from thread_rooms as thread join rooms on rooms.space_id = thread.space_id and rooms.id = thread.room_id
    where thread.space_id = ${space_id} and thread.id = ${from_id} and merging_into = ${into_id}`)
  return rows.length > 0
}

/** Notes the thread into which a thread is being merged; null ends the merge. */
export async function saveMerge(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  intoId: string | null,
): Promise<void> {
  await transaction.query(sql`
    update thread_rooms set merging_into = ${intoId}::uuid, merging_at = case when ${intoId}::uuid is not null then now() end
    where space_id = ${tenantId} and id = ${channelId}`)
}

/** Counts the messages of a thread up to a limit, without system messages. */
export async function countAuthored(
  database: Queryable,
  { tenantId, channelId }: Place,
  limit: number,
): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*) from (
      select from messages
      where tenant_id = ${tenantId} and channel_id = ${channelId} and type = any(${AUTHORED_TYPES}::smallint[])
      limit ${limit}) as counted`)
  return row?.count ?? 0
}

/** Returns the ids of the oldest messages of a thread, without system messages. */
export async function listOldestIds(
  database: Queryable,
  { tenantId, channelId }: Place,
  limit: number,
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from messages
    where tenant_id = ${tenantId} and channel_id = ${channelId} and type = any(${AUTHORED_TYPES}::smallint[])
    order by seq limit ${limit}`)
  return rows.map(({ id }) => id)
}

/**
 * Makes the followers of `from` follow `into`: all at the beginning of a merge, and later only those who began to follow
 * `from` during the merge. Existing followers of `into` keep their level.
 * @returns the new followers
 */
export async function joinFollows(transaction: Queryable, from: Place, into: Place): Promise<string[]> {
  const rows = await transaction.query<{ user_id: string }>(sql`
    insert into thread_follows (user_id, thread_id, space_id, level)
    select user_id, ${into.channelId}, follow.space_id, level
    from thread_follows as follow join thread_rooms as thread on thread.space_id = follow.space_id and thread.id = thread_id
    where follow.space_id = ${from.tenantId} and thread_id = ${from.channelId}
      and (merging_at is null or followed_at >= merging_at)
    order by user_id
    on conflict do nothing returning user_id`)
  return rows.map(({ user_id }) => user_id)
}
