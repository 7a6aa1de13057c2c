import { DEFAULT_QUIET_MINUTES, type Thread } from '@foyer/protocol/thread-rooms'
import { fragment, type Query, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { deletePosts } from '#src/rooms/post-queries.ts'

/** A stored thread. `closed_by` may reopen it, and so may members with ManageThreads. */
export interface ThreadRow extends Thread {
  closed_by: string | null
}

type PostField = 'tags' | 'solved_message_id' | 'opening_message_id' | 'is_pinned'
type StoredThread = Omit<ThreadRow, PostField> & {
  tags: string[] | null
  solved_message_id: string | null
  opening_message_id: string | null
  is_pinned: boolean | null
}

/** True for a thread that was put to sleep, or has had no activity for its quiet minutes. */
export const isAsleep = fragment`
  (is_laid or (quiet_minutes > 0 and active_at <= now() - make_interval(mins => quiet_minutes)))`

/** Columns and tables of threads, to be followed by a `where`. Columns of posts are null outside of forums. */
export const threadsWithHeads = fragment`
  thread_rooms.space_id, thread_rooms.id, thread_rooms.room_id, 4 as type, title, creator_id, starter_message_id,
  quiet_minutes, ${isAsleep} as is_asleep,
  is_closed, closed_by, message_count, last_message_id, coalesce(last_seq, 0) as last_seq, active_at,
  thread_rooms.created_at, thread_rooms.updated_at, solved_message_id,
  opening_message_id, is_pinned,
  case when posts.id is not null then array(
    select tag_id from unnest(tag_ids) with ordinality as set_tag (tag_id, place)
    where exists (
      select from rooms
      where rooms.space_id = posts.space_id and rooms.id = posts.room_id
        and rooms.forum -> 'tags' @> jsonb_build_array(jsonb_build_object('id', tag_id)))
    order by place) end as tags
  from thread_rooms
    left join message_heads on tenant_id = thread_rooms.space_id and channel_id = thread_rooms.id
    left join posts on posts.space_id = thread_rooms.space_id and posts.id = thread_rooms.id`

/** Runs a query that selects `threadsWithHeads`. */
export async function queryThreads(database: Queryable, query: Query): Promise<ThreadRow[]> {
  const rows = await database.query<StoredThread>(query)
  return rows.map(({ tags, solved_message_id, opening_message_id, is_pinned, ...thread }) =>
    tags === null || is_pinned === null
      ? thread
      : { ...thread, tags, solved_message_id, opening_message_id, is_pinned },
  )
}

export async function findThread(
  database: Queryable,
  { space_id, id }: Pick<Thread, 'space_id' | 'id'>,
): Promise<ThreadRow | undefined> {
  const [row] = await queryThreads(
    database,
    sql`select ${threadsWithHeads} where thread_rooms.space_id = ${space_id} and thread_rooms.id = ${id}`,
  )
  return row
}

/** Returns those of the threads that exist in the space, in no particular order. */
export async function listThreadRows(
  database: Queryable,
  spaceId: string,
  ids: readonly string[],
): Promise<ThreadRow[]> {
  const query = sql`
    select ${threadsWithHeads}
    where thread_rooms.space_id = ${spaceId} and thread_rooms.id = any(${ids}::uuid[])`
  return queryThreads(database, query)
}

/** Locks the head, then the thread, as writing a message does. Returns undefined for a deleted thread. */
export async function lockThread(
  transaction: Queryable,
  key: Pick<Thread, 'space_id' | 'id'>,
): Promise<ThreadRow | undefined> {
  await transaction.query(sql`
    select from message_heads where tenant_id = ${key.space_id} and channel_id = ${key.id} for update`)
  return lockThreadRow(transaction, key)
}

/** Locks a thread whose head is locked. Returns undefined for a deleted thread. */
export async function lockThreadRow(
  transaction: Queryable,
  key: Pick<Thread, 'space_id' | 'id'>,
): Promise<ThreadRow | undefined> {
  await transaction.query(sql`
    select from thread_rooms where space_id = ${key.space_id} and id = ${key.id} for no key update`)
  return findThread(transaction, key)
}

export interface NewThread {
  spaceId: string
  id: string
  roomId: string
  title: string
  creatorId: string
  starterMessageId: string | null
  quietMinutes: number | undefined
}

/** Inserts the thread, after any running insert for the same message. @returns false if the message has a thread already */
export async function insertThread(transaction: Queryable, thread: NewThread): Promise<boolean> {
  const { spaceId, id, roomId, title, creatorId, starterMessageId } = thread
  const inserted = await transaction.query(sql`
    insert into thread_rooms (space_id, id, room_id, title, creator_id, starter_message_id, quiet_minutes)
    values (${spaceId}, ${id}, ${roomId}, ${title}, ${creatorId}, ${starterMessageId},
      ${thread.quietMinutes ?? DEFAULT_QUIET_MINUTES})
    on conflict (space_id, starter_message_id) where starter_message_id is not null do nothing
    returning id`)
  if (inserted.length === 0) return false
  await transaction.query(sql`insert into message_heads (tenant_id, channel_id) values (${spaceId}, ${id})`)
  return true
}

/** Returns the id of the thread that began from the message. */
export async function findThreadOf(
  database: Queryable,
  spaceId: string,
  messageId: string,
): Promise<string | undefined> {
  const [row] = await database.query<{ id: string }>(sql`
    select id from thread_rooms where space_id = ${spaceId} and starter_message_id = ${messageId}`)
  return row?.id
}

/** The columns that a change can set. */
export interface ThreadChange {
  title: string
  quiet_minutes: number
  is_closed: boolean
  closed_by: string | null
  /** Undefined keeps the thread as it is, awake or asleep. */
  is_asleep: boolean | undefined
}

export async function saveThread(
  transaction: Queryable,
  { space_id, id }: Pick<Thread, 'space_id' | 'id'>,
  change: ThreadChange,
): Promise<void> {
  const { is_asleep } = change
  await transaction.query(sql`
    update thread_rooms set title = ${change.title}, quiet_minutes = ${change.quiet_minutes},
      is_closed = ${change.is_closed}, closed_by = ${change.closed_by},
      is_laid = coalesce(${is_asleep ?? null}::boolean, is_laid),
      active_at = case when ${is_asleep === false}::boolean then now() else active_at end, updated_at = now()
    where space_id = ${space_id} and id = ${id}`)
}

/** Deletes the thread with its head, so that nobody can write in it. A job deletes the rest. */
export async function deleteThreadRow(
  transaction: Queryable,
  { space_id, id }: Pick<Thread, 'space_id' | 'id'>,
): Promise<void> {
  await transaction.query(sql`delete from message_heads where tenant_id = ${space_id} and channel_id = ${id}`)
  await transaction.query(sql`delete from held_messages where space_id = ${space_id} and thread_id = ${id}`)
  await deletePosts(transaction, space_id, [id])
  await transaction.query(sql`delete from thread_rooms where space_id = ${space_id} and id = ${id}`)
}
