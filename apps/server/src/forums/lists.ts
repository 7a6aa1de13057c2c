import type { ForumSort } from '@foyer/protocol/forums'
import type { ListedThread, ThreadPage, ThreadState } from '@foyer/protocol/thread-rooms'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { RoomAccess } from '#src/spaces/access.ts'
import { cursorAfter, positionOf } from '#src/thread-rooms/cursors.ts'
import { withOwn } from '#src/thread-rooms/own-threads.ts'
import { listThreadsOfRoom, type PostFilter, type ThreadPageAsked } from '#src/thread-rooms/page-queries.ts'
import type { ThreadRow } from '#src/thread-rooms/queries.ts'
import { findOpenings } from './openings.ts'
import {
  findFew,
  findFewInState,
  listClosedByCreation,
  listFewPosts,
  listPinned,
  listPostsByCreation,
} from './page-queries.ts'

interface Deps {
  database: Queryable
  downloads: DownloadSigner
}

export interface PostsQuery {
  state: ThreadState
  sort?: ForumSort | undefined
  tag?: readonly string[] | undefined
  solved?: boolean | undefined
  before?: string | undefined
  limit: number
}

/** Lists the posts of a forum. The first page begins with the pinned posts, which do not count towards the page's limit. */
export async function listPosts(deps: Deps, access: RoomAccess, query: PostsQuery): Promise<ThreadPage> {
  const { sort = access.room.forum?.sort ?? 'activity', limit } = query
  const { database } = deps
  const asked = { before: positionOf(query.before), limit: limit + 1 }
  const pinnedIds = await listPinned(database, keyOf(access))
  const filter = { tags: query.tag ?? [], solved: query.solved ?? null, excluded: pinnedIds }
  const pinned =
    query.before === undefined && pinnedIds.length > 0
      ? await listPinnedPosts(database, access, { ...query, sort, pinnedIds })
      : []
  const rows = await listOthers(database, access, { ...query, sort, filter, asked })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next = rows.length > limit && last !== undefined ? cursorAfter(positionBy(sort, last)) : null
  return { threads: await complete(deps, access, [...pinned, ...page]), next }
}

function keyOf({ spaceId, room }: RoomAccess) {
  return { spaceId, roomId: room.id }
}

function positionBy(sort: ForumSort, { id, active_at, created_at }: ThreadRow) {
  return { id, time: sort === 'created' ? created_at : active_at }
}

type Sorted = PostsQuery & { sort: ForumSort }

async function listPinnedPosts(
  database: Queryable,
  { spaceId }: RoomAccess,
  { state, sort, tag, solved, pinnedIds }: Sorted & { pinnedIds: readonly string[] },
): Promise<ThreadRow[]> {
  const asked = { before: positionOf(undefined), limit: pinnedIds.length }
  const rows = await listFewPosts(database, { spaceId, ids: pinnedIds, sort }, state, asked)
  return rows.filter(
    ({ tags = [], solved_message_id }) =>
      (tag === undefined || tag.length === 0 || tag.some((id) => tags.includes(id))) &&
      (solved === undefined || (solved_message_id !== null) === solved),
  )
}

async function listOthers(
  database: Queryable,
  access: RoomAccess,
  { state, sort, filter, asked }: Sorted & { filter: PostFilter; asked: ThreadPageAsked },
): Promise<ThreadRow[]> {
  const key = keyOf(access)
  const known = new Set(access.room.forum?.tags.map(({ id }) => id))
  const tags = filter.tags.filter((id) => known.has(id))
  // All requested tags are deleted, or belong to other forums.
  if (tags.length === 0 && filter.tags.length > 0) return []
  const knownFilter = { ...filter, tags }
  const few = await findFew(database, key, knownFilter)
  if (few !== undefined) return listFewPosts(database, { spaceId: key.spaceId, ids: few, sort }, state, asked)
  const given = { ...asked, filter: knownFilter }
  return sort === 'created'
    ? listByCreation(database, key, state, given)
    : listThreadsOfRoom(database, key, state, given)
}

/**
 * Lists posts by creation. Activity decides which posts are active or asleep, so no index has active or asleep posts in the
 * order of creation. A few such posts are sorted; if there are many, all posts are read in that order and filtered.
 */
async function listByCreation(
  database: Queryable,
  key: { spaceId: string; roomId: string },
  state: ThreadState,
  given: ThreadPageAsked & { filter: PostFilter },
): Promise<ThreadRow[]> {
  if (state === 'all') return listPostsByCreation(database, key, state, given)
  if (state === 'closed') return listClosedByCreation(database, key, given)
  const few = await findFewInState(database, key, state, given.filter)
  if (few === undefined) return listPostsByCreation(database, key, state, given)
  return listFewPosts(database, { spaceId: key.spaceId, ids: few, sort: 'created' }, state, given)
}

async function complete(
  deps: Deps,
  { spaceId, caller }: RoomAccess,
  rows: readonly ThreadRow[],
): Promise<ListedThread[]> {
  const [threads, openings] = await Promise.all([
    withOwn(deps.database, caller, rows),
    findOpenings(
      deps,
      spaceId,
      rows.map(({ id }) => id),
    ),
  ])
  return threads.map((thread) => {
    const opening = openings.get(thread.id) ?? null
    const reply_count = thread.message_count - (opening === null ? 0 : 1)
    return { ...thread, opening, reply_count }
  })
}
