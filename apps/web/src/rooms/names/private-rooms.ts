import { has, Permission, roomPermissions } from '@foyer/protocol/permissions'
import type { SpaceEntry, State } from '#src/store/state.ts'

/** Returns the ids of the rooms that members with no role but @everyone may not view. */
export function hiddenRooms(rooms: State['rooms'], space: SpaceEntry): ReadonlySet<string> {
  return new Set(Object.keys(rooms).filter((id) => isHiddenFromEveryone(space, id)))
}

/** Returns true if members with no role but @everyone may not view the room. */
export function isHiddenFromEveryone(
  { id, owner_id, roles, overwrites }: Pick<SpaceEntry, 'id' | 'owner_id' | 'roles' | 'overwrites'>,
  roomId: string,
): boolean {
  const everyone = roles.filter((role) => role.id === id)
  const subject = { userId: '', ownerId: owner_id, spaceId: id, roles: everyone }
  const inRoom = overwrites.filter(({ room_id }) => room_id === roomId)
  return !has(roomPermissions(subject, inRoom), Permission.ViewChannels)
}
