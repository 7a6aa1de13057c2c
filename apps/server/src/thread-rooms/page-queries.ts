import { quietMinutes, type ThreadState } from '@foyer/protocol/thread-rooms'
import { type Fragment, fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { queryThreads, type ThreadRow, threadsWithHeads } from './queries.ts'

/** The position of a thread in lists: the time of its newest activity, or of its creation, and its id. */
export interface ThreadPosition {
  time: string
  id: string
}

export interface ThreadPageAsked {
  before: ThreadPosition
  limit: number
}

/** Conditions for the requested posts. */
export interface PostFilter {
  /** Posts with any of these tags; empty for all. */
  tags: readonly string[]
  /** True for posts with an answer, false for those without, null for both. */
  solved: boolean | null
  /** Posts to leave out, because they are listed separately. */
  excluded: readonly string[]
}

const noFilter: PostFilter = { tags: [], solved: null, excluded: [] }

/** Condition for a post to have one of the tags, and an answer or none, as requested. */
export function hasTagsAndAnswer({ tags, solved }: Omit<PostFilter, 'excluded'>): Fragment {
  return fragment`
    (${tags}::uuid[] = '{}' or tag_ids && ${tags}::uuid[])
    and coalesce((solved_message_id is not null) = ${solved}::boolean, true)`
}

/**
 * Lists the threads of a room by their newest activity. Each state covers a few ranges of the index (stretches). A page
 * reads at most `limit` threads of each stretch, so 100,000 threads cost no more than 1,000.
 */
export async function listThreadsOfRoom(
  database: Queryable,
  { spaceId, roomId }: { spaceId: string; roomId: string },
  state: ThreadState,
  { before, limit, filter = noFilter }: ThreadPageAsked & { filter?: PostFilter },
): Promise<ThreadRow[]> {
  const { tags, solved, excluded } = filter
  const isFiltered = tags.length > 0 || solved !== null
  const query = sql`
    with stretch as (${stretchesOf(state)}),
    page as materialized (
      select found.id from stretch cross join lateral (
        select id, active_at from thread_rooms
        where space_id = ${spaceId} and room_id = ${roomId} and is_closed = closed and is_laid = laid
          and quiet_minutes = minutes
          and active_at <= case when part = 'asleep' then least(${before.time}::timestamptz, falls_asleep)
            else ${before.time}::timestamptz end
          and active_at > case when part = 'awake' then falls_asleep else '-infinity' end
          and (active_at, id) < (${before.time}::timestamptz, ${before.id}::uuid)
          and id <> all(${excluded}::uuid[])
          and (not ${isFiltered}::boolean or exists (
            select from posts
            where posts.space_id = thread_rooms.space_id and posts.id = thread_rooms.id
              and ${hasTagsAndAnswer(filter)}))
        order by active_at desc, id desc limit ${limit}) as found
      order by found.active_at desc, found.id desc limit ${limit}
    )
    select ${threadsWithHeads}
    where thread_rooms.space_id = ${spaceId} and thread_rooms.id in (select id from page)
    order by active_at desc, id desc`
  return queryThreads(database, query)
}

/** Returns the ids of a room's threads in a state, up to a limit, in no order. */
export async function listInState(
  database: Queryable,
  { spaceId, roomId }: { spaceId: string; roomId: string },
  state: ThreadState,
  limit: number,
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    with stretch as (${stretchesOf(state)})
    select found.id from stretch cross join lateral (
      select id from thread_rooms
      where space_id = ${spaceId} and room_id = ${roomId} and is_closed = closed and is_laid = laid
        and quiet_minutes = minutes
        and active_at <= case when part = 'asleep' then falls_asleep else 'infinity' end
        and active_at > case when part = 'awake' then falls_asleep else '-infinity' end
      order by active_at desc, id desc limit ${limit}) as found
    limit ${limit}`)
  return rows.map(({ id }) => id)
}

interface Stretch {
  isClosed: boolean
  isLaid: boolean
  minutes: number
  /** The whole stretch, or only its threads that are awake or asleep by their last activity. */
  part: 'all' | 'awake' | 'asleep'
}

function stretchesOf(state: ThreadState): Fragment {
  const stretches = listStretches(state)
  return fragment`
    select *, now() - make_interval(mins => minutes) as falls_asleep
    from unnest(
      ${stretches.map(({ isClosed }) => isClosed)}::boolean[], ${stretches.map(({ isLaid }) => isLaid)}::boolean[],
      ${stretches.map(({ minutes }) => minutes)}::integer[], ${stretches.map(({ part }) => part)}::text[])
      as stretch (closed, laid, minutes, part)`
}

function listStretches(state: ThreadState): Stretch[] {
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
