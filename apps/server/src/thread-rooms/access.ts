import { Capability } from '@foyer/protocol/capabilities'
import { has, Permission } from '@foyer/protocol/permissions'
import { holds, type Needed } from '@foyer/protocol/rights'
import { RoomType } from '@foyer/protocol/rooms'
import type { Place } from '#src/channels/place.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { accessRoom, holdRoom, type RoomAccess, refusalOf } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { accessRoomOf, type ThreadPlaces } from '#src/spaces/thread-places.ts'
import { lockThread, type ThreadRow } from './queries.ts'

export interface ThreadAccessDeps {
  snapshots: Snapshots
  threadPlaces: ThreadPlaces
}

/** Access to a thread. Its room decides the rights. */
export interface ThreadAccess {
  readonly room: RoomAccess
  readonly place: Place
}

/**
 * @param needed the right that the caller needs in the thread's room, besides ViewChannels
 * @throws ApiError 404 for a thread that does not exist, 403 for outsiders and members without the right
 */
export async function accessThread(
  { snapshots, threadPlaces }: ThreadAccessDeps,
  caller: Caller,
  id: string,
  needed: Needed = 0,
): Promise<ThreadAccess> {
  const thread = await threadPlaces.find(id)
  if (thread === undefined) throw new ApiError('unknown_thread')
  const room = await accessRoomOf(snapshots, caller, thread, needed)
  return { room, place: { tenantId: thread.space_id, channelId: id, parentId: thread.room_id } }
}

/**
 * Checks access to a room that can have threads.
 * @throws ApiError with the errors of `accessRoom`, and 400 for anything but a text room or a forum
 */
export async function accessThreadedRoom(
  { snapshots, threadPlaces }: ThreadAccessDeps,
  caller: Caller,
  roomId: string,
): Promise<RoomAccess> {
  const room = await accessRoom(snapshots, caller, roomId).catch(async (error: unknown) => {
    const isUnknown = error instanceof ApiError && error.code === 'unknown_room'
    const thread = isUnknown ? await threadPlaces.find(roomId) : undefined
    if (thread === undefined) throw error
    await accessThread({ snapshots, threadPlaces }, caller, roomId)
    throw new ApiError('no_threads_here')
  })
  if (room.room.type !== RoomType.Text && room.room.type !== RoomType.Forum)
    throw new ApiError('no_threads_here')
  return room
}

/** A thread and the caller's rights in its room. Neither can change until the transaction ends. */
export interface HeldThread {
  readonly room: RoomAccess
  readonly thread: ThreadRow
}

/** @throws ApiError 404 for a deleted thread, and the errors of `holdRoom` */
export async function holdThread(
  transaction: Queryable,
  { room, place }: ThreadAccess,
  needed: Needed = 0,
): Promise<HeldThread> {
  const held = await holdRoom(transaction, room, needed)
  const thread = await lockThread(transaction, { space_id: place.tenantId, id: place.channelId })
  if (thread === undefined) throw new ApiError('unknown_thread')
  return { room: held, thread }
}

export function managesThreads({ capabilities }: Pick<RoomAccess, 'capabilities'>): boolean {
  return has(capabilities, Capability.ManageThreads)
}

/** @throws ApiError 403 unless the caller has ManageThreads, or is the creator and may write */
export function checkMayUpdate({ room, thread }: HeldThread): void {
  const isCreator = thread.creator_id === room.caller.user.id
  const mayWrite = isCreator && has(room.permissions, Permission.SendMessages)
  if (!mayWrite && !managesThreads(room)) throw refusalOf(room)
}

/** @throws ApiError 403 without the rights to begin a thread in the room */
export function checkMayCreate(room: RoomAccess): void {
  const mayCreate = holds(room, 'CreateThreads') && holds(room, Permission.SendMessages)
  if (!mayCreate) throw refusalOf(room)
}
