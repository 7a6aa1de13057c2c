import { has, Permission, roomPermissions } from '@foyer/protocol/permissions'
import type { SpaceEntry } from '#src/store/state.ts'

/** Whether who has no role but @everyone may not view the room. */
export function isHiddenFromEveryone(
  { id, owner_id, roles, overwrites }: Pick<SpaceEntry, 'id' | 'owner_id' | 'roles' | 'overwrites'>,
  roomId: string,
): boolean {
  const everyone = roles.filter((role) => role.id === id)
  const subject = { userId: '', ownerId: owner_id, spaceId: id, roles: everyone }
  const inRoom = overwrites.filter(({ room_id }) => room_id === roomId)
  return !has(roomPermissions(subject, inRoom), Permission.ViewChannels)
}
