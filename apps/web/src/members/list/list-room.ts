import { isViewedByAll, viewKey } from '@foyer/protocol/viewers'
import type { SpaceEntry, State } from '#src/store/state.ts'

/**
 * Returns the room whose member list to request. Rooms with the same viewers share a list, so that it stays when the user
 * switches between them. Null if every member views the room.
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

/** Selector for `listRoomOf`. Recomputes only if the space changes or rooms come or go: each message changes the rooms object. */
export function listRoomIn(spaceId: string, roomId: string): (state: ListedState) => string | null {
  let seen: ListedState | undefined
  let found: string | null = null
  return (state) => {
    const space = state.spaces[spaceId]
    const isSame = space === seen?.spaces[spaceId] && hasSameIds(state.rooms, seen?.rooms)
    seen = state
    if (!isSame) found = space ? listRoomOf(space, state.rooms, roomId) : null
    return found
  }
}

type ListedState = Pick<State, 'spaces' | 'rooms'>

function hasSameIds(rooms: State['rooms'], others: State['rooms'] = {}): boolean {
  return rooms === others || Object.keys(rooms).join() === Object.keys(others).join()
}
