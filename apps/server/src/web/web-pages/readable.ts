import type { Room } from '@foyer/protocol/rooms'
import type { Thread } from '@foyer/protocol/thread-rooms'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { Snapshots, SpaceSnapshot } from '#src/spaces/snapshots.ts'
import { findThread } from '#src/thread-rooms/queries.ts'
import { isOpenToEveryone, READABLE_TYPES } from '#src/web/web-rooms/access.ts'
import type { PublicPagesRule } from '#src/web/web-rooms/public-pages.ts'
import { isReadableThread } from './queries.ts'

export interface ReadableDeps {
  database: Queryable
  snapshots: Snapshots
  publicPages: PublicPagesRule
}

/** A room that people without an account may read. */
export interface ReadableRoom {
  readonly snapshot: SpaceSnapshot
  readonly room: Room
  /** The earliest creation of a readable message, in milliseconds since 1970. */
  readonly from: number
  /** The time from which earlier messages are readable as well; undefined if they never will be, or already are. */
  readonly wholeFrom: number | undefined
  /** True if search engines may index its pages. */
  readonly isIndexed: boolean
}

export interface ReadableThread extends ReadableRoom {
  readonly thread: Thread
}

/** Finds a space with its rooms that can be read on the web, in their order. */
export async function findReadableSpace(
  deps: ReadableDeps,
  spaceId: string,
): Promise<{ snapshot: SpaceSnapshot; rooms: ReadableRoom[] } | undefined> {
  if (!(await deps.publicPages.isAllowed())) return undefined
  const snapshot = await deps.snapshots.find(spaceId)
  if (snapshot === undefined) return undefined
  const rooms = [...snapshot.rooms.values()].flatMap((room) => readableRoom(snapshot, room) ?? [])
  return rooms.length === 0 ? undefined : { snapshot, rooms }
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
  return snapshot && room && readableRoom(snapshot, room)
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

/** Returns the room with the limits of what can be read; undefined if it is not readable. */
export function readableRoom(snapshot: SpaceSnapshot, room: Room): ReadableRoom | undefined {
  const { space } = snapshot
  if (room.web === undefined || !READABLE_TYPES.includes(room.type)) return undefined
  if (space.frozen_at !== null || !isOpenToEveryone(snapshot, room.id)) return undefined
  const wholeFrom = room.web.whole_from === null ? undefined : Date.parse(room.web.whole_from)
  const isWhole = wholeFrom !== undefined && wholeFrom <= Date.now()
  return {
    snapshot,
    room,
    from: isWhole ? 0 : Date.parse(room.web.since),
    wholeFrom: isWhole ? undefined : wholeFrom,
    isIndexed: room.web.is_indexed,
  }
}
