import type {
  ListFollowedThreadsQuery,
  OwnThread,
  ThreadPage,
  ThreadState,
} from '@foyer/protocol/thread-rooms'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { RoomAccess } from '#src/spaces/access.ts'
import { type Snapshots, viewOf } from '#src/spaces/snapshots.ts'
import type { ThreadAccess } from './access.ts'
import { cursorAfter, positionOf } from './cursors.ts'
import { countUnreadFollowed, listFollowedRooms, listFollowedThreads } from './followed-queries.ts'
import { withOwn } from './own-threads.ts'
import { listThreadsOfRoom, type ThreadPageAsked } from './page-queries.ts'
import { findThread, type ThreadRow } from './queries.ts'
import { listThreadsFrom } from './starter-queries.ts'

interface PageQuery {
  before?: string | undefined
  limit: number
}

/** @throws ApiError 404 for a thread that is gone */
export async function getThread(database: Queryable, access: ThreadAccess): Promise<OwnThread> {
  const { place, room } = access
  const row = await findThread(database, { space_id: place.tenantId, id: place.channelId })
  if (row === undefined) throw new ApiError('unknown_thread')
  const [own] = await withOwn(database, room.caller, [row])
  if (own === undefined) throw new ApiError('unknown_thread')
  return own
}

export async function listThreads(
  database: Queryable,
  { spaceId, room, caller }: RoomAccess,
  { state, ...query }: PageQuery & { state: ThreadState },
): Promise<ThreadPage> {
  const asked = askedFor(query)
  const rows = await listThreadsOfRoom(database, { spaceId, roomId: room.id }, state, asked)
  return pageOf(database, caller, rows, query.limit)
}

/** Lists the threads that began from some messages of the room. */
export async function listStarted(
  database: Queryable,
  { spaceId, room, caller }: RoomAccess,
  messageIds: readonly string[],
): Promise<ThreadPage> {
  const rows = await listThreadsFrom(database, { spaceId, roomId: room.id }, messageIds)
  return { threads: await withOwn(database, caller, rows), next: null }
}

interface Deps {
  database: Queryable
  snapshots: Snapshots
}

interface Rooms {
  forums: boolean
}

/**
 * Lists the followed threads in rooms that the caller may view now.
 * @param query `forums` includes posts of forums
 */
export async function listFollowed(
  deps: Deps,
  caller: Caller,
  { unread = false, forums = false, ...query }: PageQuery & ListFollowedThreadsQuery,
): Promise<ThreadPage> {
  const asked = askedFor(query)
  const roomIds = await listViewable(deps, caller.user.id, { forums })
  const wanted = { userId: caller.user.id, roomIds, isUnread: unread }
  const rows = roomIds.length === 0 ? [] : await listFollowedThreads(deps.database, wanted, asked)
  return pageOf(deps.database, caller, rows, query.limit)
}

/**
 * Counts the followed threads with unread messages, in rooms that the user may view.
 * @param rooms `forums` includes posts of forums
 */
export async function countUnreadThreads(deps: Deps, userId: string, rooms: Rooms): Promise<number> {
  const roomIds = await listViewable(deps, userId, rooms)
  return roomIds.length === 0 ? 0 : countUnreadFollowed(deps.database, { userId, roomIds })
}

/** Returns the rooms with followed threads that the user may view. */
async function listViewable(
  { database, snapshots }: Deps,
  userId: string,
  { forums }: Rooms,
): Promise<string[]> {
  const rooms = await listFollowedRooms(database, userId)
  const views = new Map<string, (roomId: string) => boolean>()
  // Memberships are usually cached. Loaded one after the other, because each may take several queries.
  for (const spaceId of new Set(rooms.map(({ space_id }) => space_id))) {
    const { snapshot, member } = await snapshots.findMembership(spaceId, userId)
    if (snapshot !== undefined && member !== undefined)
      views.set(spaceId, viewOf(snapshot, { ...member, hidesForums: !forums }))
  }
  return rooms.flatMap(({ space_id, room_id }) => (views.get(space_id)?.(room_id) ? [room_id] : []))
}

/** Asks for one thread more than the page has, to know whether another page follows. */
function askedFor({ before, limit }: PageQuery): ThreadPageAsked {
  return { before: positionOf(before), limit: limit + 1 }
}

async function pageOf(
  database: Queryable,
  caller: Caller,
  rows: readonly ThreadRow[],
  limit: number,
): Promise<ThreadPage> {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next =
    rows.length > limit && last !== undefined ? cursorAfter({ time: last.active_at, id: last.id }) : null
  return { threads: await withOwn(database, caller, page), next }
}
