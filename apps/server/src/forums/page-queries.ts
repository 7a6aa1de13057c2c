import type { ForumSort } from '@foyer/protocol/forums'
import type { ThreadState } from '@foyer/protocol/thread-rooms'
import { type Fragment, fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import {
  hasTagsAndAnswer,
  listInState,
  type PostFilter,
  type ThreadPageAsked,
} from '#src/thread-rooms/page-queries.ts'
import { isAsleep, queryThreads, type ThreadRow, threadsWithHeads } from '#src/thread-rooms/queries.ts'

interface ForumKey {
  spaceId: string
  roomId: string
}

/** Up to this many posts are sorted. More are read in the requested order from an index, which soon fills a page. */
const FEW = 2000

/** Returns the posts in a state that pass the filter; undefined if more than `FEW` posts are in the state. */
export async function findFewInState(
  database: Queryable,
  { spaceId, roomId }: ForumKey,
  state: ThreadState,
  filter: PostFilter,
): Promise<string[] | undefined> {
  const ids = await listInState(database, { spaceId, roomId }, state, FEW + 1)
  if (ids.length > FEW) return undefined
  const rows = await database.query<{ id: string }>(sql`
    select id from posts
    where space_id = ${spaceId} and id = any(${ids}::uuid[]) and ${passes(filter)}`)
  return rows.map(({ id }) => id)
}

/** Returns the posts that pass the filter; undefined if more than `FEW` do, or if it filters neither by tag nor by answer. */
export async function findFew(
  database: Queryable,
  { spaceId, roomId }: ForumKey,
  { tags, solved, excluded }: PostFilter,
): Promise<string[] | undefined> {
  if (tags.length === 0 && solved === null) return undefined
  const rows = await database.query<{ id: string }>(
    tags.length > 0
      ? sql`
          select id from posts
          where tag_ids && ${tags}::uuid[] and space_id = ${spaceId} and room_id = ${roomId}
            and coalesce((solved_message_id is not null) = ${solved}::boolean, true) and id <> all(${excluded}::uuid[])
          limit ${FEW + 1}`
      : sql`
          select id from posts
          where space_id = ${spaceId} and room_id = ${roomId} and (solved_message_id is not null) = ${solved}::boolean
            and id <> all(${excluded}::uuid[])
          limit ${FEW + 1}`,
  )
  return rows.length > FEW ? undefined : rows.map(({ id }) => id)
}

/** Condition for a post to pass the filter. */
function passes({ excluded, ...filter }: PostFilter): Fragment {
  return fragment`posts.id <> all(${excluded}::uuid[]) and ${hasTagsAndAnswer(filter)}`
}

/** Condition for a thread to be in the state. */
function isIn(state: ThreadState): Fragment {
  return fragment`
    case ${state}::text when 'closed' then is_closed when 'active' then not is_closed and not ${isAsleep}
      when 'asleep' then not is_closed and ${isAsleep} else true end`
}

/** Reads the threads whose ids are in the CTE `page`, in its order. */
function threadsOfPage(spaceId: string): Fragment {
  return fragment`
    select ${threadsWithHeads} join page on page.id = thread_rooms.id
    where thread_rooms.space_id = ${spaceId}
    order by sorted_at desc, id desc`
}

/** Lists a page of these posts, in the requested order. */
export async function listFewPosts(
  database: Queryable,
  { spaceId, ids, sort }: { spaceId: string; ids: readonly string[]; sort: ForumSort },
  state: ThreadState,
  { before, limit }: ThreadPageAsked,
): Promise<ThreadRow[]> {
  const query = sql`
    with page as materialized (
      select id, sorted_at from (
        select posts.id, case when ${sort} = 'created' then posts.created_at else active_at end as sorted_at
        from posts join thread_rooms on thread_rooms.space_id = posts.space_id and thread_rooms.id = posts.id
        where posts.space_id = ${spaceId} and posts.id = any(${ids}::uuid[]) and ${isIn(state)}
      ) as post
      where (sorted_at, id) < (${before.time}::timestamptz, ${before.id}::uuid)
      order by sorted_at desc, id desc limit ${limit}
    )
    ${threadsOfPage(spaceId)}`
  return queryThreads(database, query)
}

/** Lists the posts of a forum, the newest first. */
export async function listPostsByCreation(
  database: Queryable,
  { spaceId, roomId }: ForumKey,
  state: ThreadState,
  { before, limit, filter }: ThreadPageAsked & { filter: PostFilter },
): Promise<ThreadRow[]> {
  const query = sql`
    with page as materialized (
      select posts.id, posts.created_at as sorted_at
      from posts join thread_rooms on thread_rooms.space_id = posts.space_id and thread_rooms.id = posts.id
      where posts.space_id = ${spaceId} and posts.room_id = ${roomId}
        and (posts.created_at, posts.id) < (${before.time}::timestamptz, ${before.id}::uuid)
        and ${passes(filter)} and ${isIn(state)}
      order by posts.created_at desc, posts.id desc limit ${limit}
    )
    ${threadsOfPage(spaceId)}`
  return queryThreads(database, query)
}

/** Lists the closed posts of a forum, the newest first. They have an index of their own. */
export async function listClosedByCreation(
  database: Queryable,
  { spaceId, roomId }: ForumKey,
  { before, limit, filter }: ThreadPageAsked & { filter: PostFilter },
): Promise<ThreadRow[]> {
  const query = sql`
    with page as materialized (
      select thread_rooms.id, thread_rooms.created_at as sorted_at
      from thread_rooms join posts on posts.space_id = thread_rooms.space_id and posts.id = thread_rooms.id
      where thread_rooms.space_id = ${spaceId} and thread_rooms.room_id = ${roomId} and is_closed
        and (thread_rooms.created_at, thread_rooms.id) < (${before.time}::timestamptz, ${before.id}::uuid)
        and ${passes(filter)}
      order by thread_rooms.created_at desc, thread_rooms.id desc limit ${limit}
    )
    ${threadsOfPage(spaceId)}`
  return queryThreads(database, query)
}

/** Returns the pinned posts of a forum. There are only a few. */
export async function listPinned(database: Queryable, { spaceId, roomId }: ForumKey): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from posts where space_id = ${spaceId} and room_id = ${roomId} and is_pinned`)
  return rows.map(({ id }) => id)
}
