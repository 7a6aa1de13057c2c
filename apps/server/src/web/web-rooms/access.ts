import { has, Permission, roomPermissions } from '@foyer/protocol/permissions'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import { ApiError } from '#src/kernel/errors.ts'
import { type SpaceSnapshot, subjectOf } from '#src/spaces/snapshots.ts'

/** Rooms with messages or posts to read. */
export const READABLE_TYPES: readonly number[] = [RoomType.Text, RoomType.Forum]

/** Returns whether @everyone may view the room. People without an account never read more than members. */
export function isOpenToEveryone(snapshot: SpaceSnapshot, roomId: string): boolean {
  const everyone = subjectOf(snapshot, { user_id: '', roles: [] })
  const permissions = roomPermissions(everyone, snapshot.overwrites.get(roomId) ?? [])
  return has(permissions, Permission.ViewChannels)
}

/** @throws ApiError 400 for a room without messages, and for a room that @everyone of the space may not view */
export function checkOpenable(snapshot: SpaceSnapshot, room: Room): void {
  if (!READABLE_TYPES.includes(room.type)) throw new ApiError('not_for_the_web')
  if (!isOpenToEveryone(snapshot, room.id)) throw new ApiError('room_not_open')
}
