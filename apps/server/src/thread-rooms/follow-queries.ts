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

/** Returns the users among these who do not follow the thread. */
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

/** Makes the users follow the thread, if it exists. @returns the new followers */
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

/** The reason why users begin to follow a thread. */
export interface FollowCause {
  /** The message that the new followers wrote or are mentioned in; null if there is none. */
  readonly messageId: string | null
  /**
   * The user who wrote the message or asked to follow, and so has read the earlier messages; null if the follow is
   * not their own act.
   */
  readonly readerId: string | null
}

/**
 * Sets the read state of new followers who have none in the thread. It is set to the message that made them follow, or to
 * the end without such a message. A mentioned user who is not the reader has the thread unread from their first mention on.
 */
export async function markPastAsRead(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  userIds: readonly string[],
  { messageId, readerId }: FollowCause,
): Promise<void> {
  if (userIds.length === 0) return
  await transaction.query(sql`
    insert into read_states as state (user_id, tenant_id, channel_id, last_read_seq)
    select user_id, tenant_id, channel_id, coalesce(
      (select min(seq) - 1 from mentions
        where mentions.tenant_id = head.tenant_id and mentions.channel_id = head.channel_id and target_id = user_id
          and author_id <> user_id and user_id is distinct from ${readerId}::uuid),
      (select seq from messages
        where messages.tenant_id = head.tenant_id and messages.channel_id = head.channel_id
          and id = ${messageId}::uuid),
      last_seq)
    from message_heads as head cross join unnest(${userIds}::uuid[]) as follower (user_id)
    where tenant_id = ${tenantId} and channel_id = ${channelId}
    order by user_id
    on conflict (user_id, channel_id) do update set last_read_seq = excluded.last_read_seq, updated_at = now()
      where state.last_read_seq = 0 and state.user_id = ${readerId}::uuid`)
}

/** A thread that a user no longer follows. */
export interface LostFollow {
  readonly user_id: string
  readonly space_id: string
  readonly thread_id: string
}

/**
 * Ends follows over the limit, by the oldest activity of their threads, but never the newest follow. Threads of the
 * same space go first: by mentioning people, a member of one space must not end their follows in others.
 */
export async function dropFollowsBeyond(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  userIds: readonly string[],
  limit: number,
): Promise<LostFollow[]> {
  return transaction.query<LostFollow>(sql`
    delete from thread_follows using (
      select asked.user_id, beyond.space_id, beyond.thread_id
      from unnest(${userIds}::uuid[]) as asked (user_id) cross join lateral (
        select follow.space_id, follow.thread_id
        from thread_follows as follow
          left join thread_rooms as thread on thread.space_id = follow.space_id and thread.id = follow.thread_id
        where follow.user_id = asked.user_id
          and (select count(*) from thread_follows as known where known.user_id = asked.user_id) > ${limit}
        order by follow.thread_id = ${channelId} desc, follow.space_id <> ${tenantId} desc,
          thread.active_at desc nulls last, follow.thread_id
        offset ${limit}) as beyond
    ) as lost
    where thread_follows.user_id = lost.user_id and thread_follows.space_id = lost.space_id
      and thread_follows.thread_id = lost.thread_id
    returning thread_follows.user_id, thread_follows.space_id, thread_follows.thread_id`)
}
