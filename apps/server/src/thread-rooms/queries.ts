import {
  DEFAULT_QUIET_MINUTES,
  quietMinutes,
  type Thread,
  type ThreadState,
} from '@foyer/protocol/thread-rooms'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** A thread as it is stored, with what only moderators' rules need. */
export interface ThreadRow extends Thread {
  closed_by: string | null
}

/** Columns and tables of a thread, for a `where`. */
export const threadsWithHeads = fragment`
  thread_rooms.space_id, thread_rooms.id, room_id, 4 as type, title, creator_id, starter_message_id, quiet_minutes,
  is_laid or (quiet_minutes > 0 and active_at <= now() - make_interval(mins => quiet_minutes)) as is_asleep,
  is_closed, closed_by, message_count, last_message_id, coalesce(last_seq, 0) as last_seq, active_at, created_at,
  updated_at
  from thread_rooms left join message_heads on tenant_id = thread_rooms.space_id and channel_id = thread_rooms.id`

export async function findThread(
  database: Queryable,
  { space_id, id }: Pick<Thread, 'space_id' | 'id'>,
): Promise<ThreadRow | undefined> {
  const [row] = await database.query<ThreadRow>(sql`
    select ${threadsWithHeads}
    where thread_rooms.space_id = ${space_id} and thread_rooms.id = ${id}`)
  return row
}

/** Locks the head, then the thread, as writing a message does; undefined for one that is gone. */
export async function lockThread(
  transaction: Queryable,
  key: Pick<Thread, 'space_id' | 'id'>,
): Promise<ThreadRow | undefined> {
  await transaction.query(sql`
    select from message_heads where tenant_id = ${key.space_id} and channel_id = ${key.id} for update`)
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

/** @returns false if the message has a thread already; waits for one that is just being made */
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
  /** Undefined leaves the thread awake or asleep. */
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

/** Deletes the thread with its head, so that nobody writes there any more. A job sweeps the rest. */
export async function deleteThreadRow(
  transaction: Queryable,
  { space_id, id }: Pick<Thread, 'space_id' | 'id'>,
): Promise<void> {
  await transaction.query(sql`delete from message_heads where tenant_id = ${space_id} and channel_id = ${id}`)
  await transaction.query(sql`delete from held_messages where space_id = ${space_id} and thread_id = ${id}`)
  await transaction.query(sql`delete from thread_rooms where space_id = ${space_id} and id = ${id}`)
}

/** The place of a thread in lists: by its newest activity. */
export interface ThreadPosition {
  activeAt: string
  id: string
}

export interface ThreadPageAsked {
  before: ThreadPosition
  limit: number
}

/**
 * Lists the threads of a room by their newest activity. A state is a few stretches of the index, of each of which the page
 * needs no more than its own length, so that 100,000 threads cost what 1,000 do.
 */
export async function listThreadsOfRoom(
  database: Queryable,
  { spaceId, roomId }: { spaceId: string; roomId: string },
  state: ThreadState,
  { before, limit }: ThreadPageAsked,
): Promise<ThreadRow[]> {
  const stretches = stretchesOf(state)
  return database.query<ThreadRow>(sql`
    with stretch as (
      select *, now() - make_interval(mins => minutes) as falls_asleep
      from unnest(
        ${stretches.map(({ isClosed }) => isClosed)}::boolean[], ${stretches.map(({ isLaid }) => isLaid)}::boolean[],
        ${stretches.map(({ minutes }) => minutes)}::integer[], ${stretches.map(({ part }) => part)}::text[])
        as stretch (closed, laid, minutes, part)
    ),
    page as materialized (
      select found.id from stretch cross join lateral (
        select id, active_at from thread_rooms
        where space_id = ${spaceId} and room_id = ${roomId} and is_closed = closed and is_laid = laid
          and quiet_minutes = minutes
          and active_at <= case when part = 'asleep' then least(${before.activeAt}::timestamptz, falls_asleep)
            else ${before.activeAt}::timestamptz end
          and active_at > case when part = 'awake' then falls_asleep else '-infinity' end
          and (active_at, id) < (${before.activeAt}::timestamptz, ${before.id}::uuid)
        order by active_at desc, id desc limit ${limit}) as found
      order by found.active_at desc, found.id desc limit ${limit}
    )
    select ${threadsWithHeads}
    where thread_rooms.space_id = ${spaceId} and thread_rooms.id in (select id from page)
    order by active_at desc, id desc`)
}

interface Stretch {
  isClosed: boolean
  isLaid: boolean
  minutes: number
  /** All of it, or only what is awake or asleep by the time. */
  part: 'all' | 'awake' | 'asleep'
}

function stretchesOf(state: ThreadState): Stretch[] {
  const each = (stretch: Omit<Stretch, 'minutes'>) => quietMinutes.map((minutes) => ({ ...stretch, minutes }))
  const closed = [true, false].flatMap((isLaid) => each({ isClosed: true, isLaid, part: 'all' }))
  if (state === 'closed') return closed
  const sleeping = quietMinutes.filter((minutes) => minutes > 0)
  const asleep: Stretch[] = [
    ...each({ isClosed: false, isLaid: true, part: 'all' }),
    ...sleeping.map((minutes): Stretch => ({ isClosed: false, isLaid: false, minutes, part: 'asleep' })),
  ]
  if (state === 'asleep') return asleep
  const active: Stretch[] = [
    ...sleeping.map((minutes): Stretch => ({ isClosed: false, isLaid: false, minutes, part: 'awake' })),
    { isClosed: false, isLaid: false, minutes: 0, part: 'all' },
  ]
  if (state === 'active') return active
  return [...closed, ...[true, false].flatMap((isLaid) => each({ isClosed: false, isLaid, part: 'all' }))]
}
