import { setImmediate as nextTurn } from 'node:timers/promises'
import { LEAST_ID } from '@foyer/protocol/ids'
import type { Room } from '@foyer/protocol/rooms'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { Snapshots, SpaceSnapshot } from '#src/spaces/snapshots.ts'
import { findThread } from '#src/thread-rooms/queries.ts'
import { isOpenToEveryone, READABLE_TYPES } from '#src/web/web-rooms/access.ts'
import type { PublicPagesRule } from '#src/web/web-rooms/public-pages.ts'
import { listSpacesOnWeb } from '#src/web/web-rooms/queries.ts'
import { MAX_ADDRESSES, type SitemapContent } from './making/feeds.ts'
import { roomPath } from './making/paths.ts'
import { isReadableThread } from './making/queries.ts'
import type {
  ListedRoom,
  ReadableRoom,
  ReadableSpace,
  ReadableThread,
  SpaceNames,
} from './making/readable-room.ts'

export interface ReadableDeps {
  database: Queryable
  snapshots: Snapshots
  publicPages: PublicPagesRule
}

/** Finds a space with its rooms that can be read on the web. */
export async function findReadableSpace(
  deps: ReadableDeps,
  spaceId: string,
): Promise<ReadableSpace | undefined> {
  if (!(await deps.publicPages.isAllowed())) return undefined
  const snapshot = await deps.snapshots.find(spaceId)
  if (snapshot === undefined) return undefined
  const rooms = [...snapshot.rooms.values()].flatMap((room) => listedRoom(snapshot, room) ?? [])
  return rooms.length === 0 ? undefined : { space: snapshot.space, rooms }
}

/** Finds a room for people without an account. All their access goes through this check. */
export async function findReadableRoom(
  deps: ReadableDeps,
  spaceId: string,
  roomId: string,
): Promise<ReadableRoom | undefined> {
  if (!(await deps.publicPages.isAllowed())) return undefined
  const snapshot = await deps.snapshots.find(spaceId)
  const room = snapshot?.rooms.get(roomId)
  const listed = snapshot && room && listedRoom(snapshot, room)
  return listed && { ...listed, names: namesIn(snapshot) }
}

export async function findReadableThread(
  deps: ReadableDeps,
  { spaceId, roomId, threadId }: { spaceId: string; roomId: string; threadId: string },
): Promise<ReadableThread | undefined> {
  const room = await findReadableRoom(deps, spaceId, roomId)
  if (room === undefined) return undefined
  if (!(await isReadableThread(deps.database, { spaceId, roomId, from: room.from }, threadId)))
    return undefined
  const thread = await findThread(deps.database, { space_id: spaceId, id: threadId })
  return thread?.room_id === roomId ? { ...room, thread } : undefined
}

/** Finds all rooms that search engines may index. */
export async function findIndexedRooms(deps: ReadableDeps): Promise<SitemapContent> {
  const spaceIds = await listSpacesOnWeb(deps.database, LEAST_ID, MAX_ADDRESSES)
  const roomPaths: string[] = []
  for (const spaceId of spaceIds) {
    if (roomPaths.length >= MAX_ADDRESSES) break
    // Cached spaces are found without a pause, so the event loop must be yielded explicitly.
    await nextTurn()
    const space = await findReadableSpace(deps, spaceId)
    const indexed = space?.rooms.filter(({ isIndexed }) => isIndexed) ?? []
    roomPaths.push(...indexed.map(({ room }) => roomPath(spaceId, room)))
  }
  return { roomPaths, spaceIds }
}

/** Returns the room with the limits of what can be read; undefined if it is not readable. */
function listedRoom(snapshot: SpaceSnapshot, room: Room): ListedRoom | undefined {
  if (room.web === undefined || !isReadable(snapshot, room)) return undefined
  const wholeFrom = room.web.whole_from === null ? undefined : Date.parse(room.web.whole_from)
  const isWhole = wholeFrom !== undefined && wholeFrom <= Date.now()
  return {
    space: snapshot.space,
    room,
    from: isWhole ? 0 : Date.parse(room.web.since),
    wholeFrom: isWhole ? undefined : wholeFrom,
    isIndexed: room.web.is_indexed,
  }
}

function isReadable(snapshot: SpaceSnapshot, room: Room): boolean {
  if (room.web === undefined || !READABLE_TYPES.includes(room.type)) return false
  return snapshot.space.frozen_at === null && isOpenToEveryone(snapshot, room.id)
}

/** The names of each snapshot, which never changes. */
const knownNames = new WeakMap<SpaceSnapshot, SpaceNames>()

function namesIn(snapshot: SpaceSnapshot): SpaceNames {
  const names = knownNames.get(snapshot) ?? {
    roles: new Map(Array.from(snapshot.roles, ([id, { name }]) => [id, name])),
    rooms: new Map(
      [...snapshot.rooms.values()].flatMap((room) =>
        isReadable(snapshot, room) ? [[room.id, room.name] as const] : [],
      ),
    ),
  }
  knownNames.set(snapshot, names)
  return names
}
