import { has, Permission, roomPermissions } from '@foyer/protocol/permissions'
import type { RoomOverwrite } from '@foyer/protocol/roles'
import { subjectOf } from '#src/permissions/rights.ts'
import type { SpaceEntry, State } from '#src/store/state.ts'

const NONE: readonly RoomOverwrite[] = []

/** Returns the ids of the rooms that the user may rename, move, delete and set permissions in. */
export function manageableRooms(rooms: State['rooms'], space: SpaceEntry): ReadonlySet<string> {
  const subject = subjectOf(space, space.member)
  const byRoom = Map.groupBy(space.overwrites, (overwrite) => overwrite.room_id)
  const isManageable = (id: string) =>
    has(roomPermissions(subject, byRoom.get(id) ?? NONE), Permission.ManageChannels)
  const ofSpace = Object.values(rooms).filter((room) => room.space_id === space.id)
  return new Set(ofSpace.map((room) => room.id).filter(isManageable))
}
