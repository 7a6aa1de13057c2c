import { Permission } from '@foyer/protocol/permissions'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import { rightsInRoom } from '#src/permissions/rights.ts'
import { roomGroups } from '#src/store/selectors.ts'
import type { SpaceEntry, State } from '#src/store/state.ts'

/** Returns the text room that an invite opens: the current one if the user may invite to it, else the first such room. */
export function inviteRoom(
  rooms: State['rooms'],
  space: SpaceEntry,
  currentRoomId: string | null,
): Room | undefined {
  const open = textRooms(rooms, space.id).filter((room) =>
    rightsInRoom(space, room.id).may(Permission.CreateInvites),
  )
  return open.find((room) => room.id === currentRoomId) ?? open[0]
}

export function firstTextRoom(rooms: State['rooms'], spaceId: string): Room | undefined {
  return textRooms(rooms, spaceId)[0]
}

/** The default category of a new room: the current room's, else the first; null for none. */
export function newRoomCategory(
  rooms: State['rooms'],
  spaceId: string,
  currentRoomId: string | null,
): string | null {
  const current = rooms[currentRoomId ?? '']
  if (current?.space_id === spaceId) return current.parent_id
  return roomGroups(rooms, spaceId).find(({ category }) => category !== null)?.category?.id ?? null
}

function textRooms(rooms: State['rooms'], spaceId: string): Room[] {
  const ordered = roomGroups(rooms, spaceId).flatMap((group) => group.rooms)
  return ordered.filter((room) => room.type === RoomType.Text)
}
