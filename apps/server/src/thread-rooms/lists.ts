import type { OwnThread, ThreadPage, ThreadState } from '@foyer/protocol/thread-rooms'
import type { Place } from '#src/channels/place.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { RoomAccess } from '#src/spaces/access.ts'
import { type Snapshots, viewOf } from '#src/spaces/snapshots.ts'
import type { ThreadAccess } from './access.ts'
import { ownStatesOf } from './actions/follows.ts'
import { cursorAfter, positionOf } from './cursors.ts'
import {
  findThread,
  listFollowedThreads,
  listThreadsOfRoom,
  listUnreadRooms,
  type ThreadPageAsked,
  type ThreadRow,
} from './queries.ts'

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

/** Lists the followed threads in rooms that the caller may view now. */
export async function listFollowed(
  deps: { database: Queryable; snapshots: Snapshots },
  caller: Caller,
  { unread = false, ...query }: PageQuery & { unread?: boolean | undefined },
): Promise<ThreadPage> {
  const wanted = { userId: caller.user.id, isUnread: unread }
  let asked = askedFor(query)
  const shown: ThreadRow[] = []
  for (;;) {
    const rows = await listFollowedThreads(deps.database, wanted, asked)
    shown.push(...(await viewable(deps.snapshots, caller.user.id, rows)))
    const last = rows.at(-1)
    const isEnd = rows.length < asked.limit || last === undefined
    if (isEnd || shown.length > query.limit) return pageOf(deps.database, caller, shown, query.limit)
    asked = { ...asked, before: positionOf(cursorAfter(last)) }
  }
}

/** Unread threads that READY counts: more are as many. */
const MAX_COUNTED = 1000

/** Counts the followed threads with unread messages, in rooms that the user may view. */
export async function countUnreadThreads(
  deps: { database: Queryable; snapshots: Snapshots },
  userId: string,
): Promise<number> {
  const rows = await listUnreadRooms(deps.database, userId, MAX_COUNTED)
  return (await viewable(deps.snapshots, userId, rows)).length
}

/** One more than the page has, to know whether another follows. */
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
  const next = rows.length > limit && last !== undefined ? cursorAfter(last) : null
  return { threads: await withOwn(database, caller, page), next }
}

async function withOwn(
  database: Queryable,
  caller: Caller,
  rows: readonly ThreadRow[],
): Promise<OwnThread[]> {
  const states = await ownStatesOf(database, caller.user.id, rows.map(placeOfThread))
  return rows.flatMap((row, index) => {
    const own = states[index]
    return own === undefined ? [] : [{ ...row, own }]
  })
}

function placeOfThread({ space_id, id, room_id }: ThreadRow): Place {
  return { tenantId: space_id, channelId: id, parentId: room_id }
}

async function viewable<Row extends Pick<ThreadRow, 'space_id' | 'room_id'>>(
  snapshots: Snapshots,
  userId: string,
  rows: readonly Row[],
): Promise<Row[]> {
  const spaceIds = [...new Set(rows.map(({ space_id }) => space_id))]
  const found = await Promise.all(spaceIds.map((id) => snapshots.findMembership(id, userId)))
  const views = new Map(
    found.flatMap(({ snapshot, member }) =>
      snapshot === undefined || member === undefined
        ? []
        : [[snapshot.space.id, viewOf(snapshot, member)] as const],
    ),
  )
  return rows.filter(({ space_id, room_id }) => views.get(space_id)?.(room_id) ?? false)
}
