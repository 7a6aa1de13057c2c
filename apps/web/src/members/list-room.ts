import { isViewedByAll, viewKey } from '@foyer/protocol/viewers'
import type { SpaceEntry, State } from '#src/store/state.ts'

/**
 * The room to name when one asks for the list beside a room: the same for all rooms that the same members view, so that the
 * list stays while one goes from one to another. Null where everybody views the room.
 */
export function listRoomOf(
  { id: spaceId, owner_id, roles, overwrites }: Pick<SpaceEntry, 'id' | 'owner_id' | 'roles' | 'overwrites'>,
  rooms: State['rooms'],
  roomId: string,
): string | null {
  const everyone = roles.filter(({ id }) => id === spaceId)
  const byRoom = Map.groupBy(overwrites, ({ room_id }) => room_id)
  const overwritesOf = (id: string) => byRoom.get(id) ?? []
  if (isViewedByAll({ id: spaceId, owner_id, everyone }, overwritesOf(roomId))) return null
  const key = viewKey(overwritesOf(roomId))
  const alike = Object.values(rooms).filter(
    ({ id, space_id }) => space_id === spaceId && viewKey(overwritesOf(id)) === key,
  )
  return alike.map(({ id }) => id).sort()[0] ?? roomId
}
