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

/** The same of a state, again and again: a message makes other rooms of them, but asks for no other list. */
export function listRoomIn(spaceId: string, roomId: string): (state: ListedPlaces) => string | null {
  let seen: ListedPlaces | undefined
  let found: string | null = null
  return (state) => {
    const space = state.spaces[spaceId]
    const isSame = space === seen?.spaces[spaceId] && hasSameIds(state.rooms, seen?.rooms)
    seen = state
    if (!isSame) found = space ? listRoomOf(space, state.rooms, roomId) : null
    return found
  }
}

type ListedPlaces = Pick<State, 'spaces' | 'rooms'>

function hasSameIds(rooms: State['rooms'], others: State['rooms'] = {}): boolean {
  return rooms === others || Object.keys(rooms).join() === Object.keys(others).join()
}
