import { type Room, RoomType } from '@foyer/protocol/rooms'
import { roomGroups } from '#src/store/selectors.ts'
import type { State } from '#src/store/state.ts'

/** Invitations lead to the room one is in, else to the first text room. */
export function inviteRoom(
  rooms: State['rooms'],
  spaceId: string,
  currentRoomId: string | null,
): Room | undefined {
  const current = currentRoomId === null ? undefined : rooms[currentRoomId]
  if (current?.space_id === spaceId && current.type === RoomType.Text) return current
  return firstTextRoom(rooms, spaceId)
}

export function firstTextRoom(rooms: State['rooms'], spaceId: string): Room | undefined {
  const ordered = roomGroups(rooms, spaceId).flatMap((group) => group.rooms)
  return ordered.find((room) => room.type === RoomType.Text)
}
