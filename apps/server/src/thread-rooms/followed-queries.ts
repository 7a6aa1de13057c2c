import type { Thread } from '@foyer/protocol/thread-rooms'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { ThreadPageAsked } from './page-queries.ts'
import { queryThreads, type ThreadRow, threadsWithHeads } from './queries.ts'

/** Returns the rooms of the threads that the user follows. */
export async function listFollowedRooms(
  database: Queryable,
  userId: string,
): Promise<Pick<Thread, 'space_id' | 'room_id'>[]> {
  return database.query(sql`
    select distinct thread.space_id, thread.room_id
    from thread_follows as follow
      join thread_rooms as thread on thread.space_id = follow.space_id and thread.id = follow.thread_id
    where follow.user_id = ${userId}`)
}

export interface FollowedBy {
  readonly userId: string
  /** The rooms that the user may view. */
  readonly roomIds: readonly string[]
}

const followed = fragment`
  thread_follows as follow
    join thread_rooms as thread on thread.space_id = follow.space_id and thread.id = follow.thread_id
    join message_heads as head on head.tenant_id = thread.space_id and head.channel_id = thread.id
    left join read_states as state on state.user_id = follow.user_id and state.channel_id = thread.id`

/**
 * True for threads with new messages from others. Muted threads, and messages of users that the follower blocks, do
 * not count.
 */
const isUnreadBy = fragment`
  follow.level <> 'muted' and head.last_seq > coalesce(state.last_read_seq, 0) and exists (
    select from messages
    where messages.tenant_id = thread.space_id and messages.channel_id = thread.id
      and messages.author_id <> follow.user_id and messages.seq > coalesce(state.last_read_seq, 0)
      and messages.author_id not in (select blocked_id from blocks where blocks.user_id = follow.user_id))`

/** Lists a user's followed threads in all of these rooms, by their newest activity. */
export async function listFollowedThreads(
  database: Queryable,
  { userId, roomIds, isUnread }: FollowedBy & { isUnread: boolean },
  { before, limit }: ThreadPageAsked,
): Promise<ThreadRow[]> {
  const query = sql`
    with page as materialized (
      select follow.space_id, thread.id
      from ${followed}
      where follow.user_id = ${userId} and thread.room_id = any(${roomIds}::uuid[])
        and (thread.active_at, thread.id) < (${before.time}::timestamptz, ${before.id}::uuid)
        and (not ${isUnread}::boolean or (${isUnreadBy}))
      order by thread.active_at desc, thread.id desc limit ${limit}
    )
    select ${threadsWithHeads}
    where (thread_rooms.space_id, thread_rooms.id) in (select space_id, id from page)
    order by active_at desc, id desc`
  return queryThreads(database, query)
}

/** Counts the threads that `listFollowedThreads` lists as unread. */
export async function countUnreadFollowed(
  database: Queryable,
  { userId, roomIds }: FollowedBy,
): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*) from ${followed}
    where follow.user_id = ${userId} and thread.room_id = any(${roomIds}::uuid[]) and ${isUnreadBy}`)
  return row?.count ?? 0
}
