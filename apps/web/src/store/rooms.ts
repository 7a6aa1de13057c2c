import type { Events } from '@foyer/protocol/events'
import type { Room } from '@foyer/protocol/rooms'
import { newerRoom, withoutChannel } from './channels.ts'
import { withLastSeqRemembered, withUnseenCounted } from './messages/read-states.ts'
import { type State, without } from './state.ts'
import { withoutThreads } from './thread-rooms.ts'

export const roomReducers = {
  ROOM_CREATE: (state: State, room: Events['ROOM_CREATE']): State => withRoom(state, room),
  ROOM_UPDATE: (state: State, room: Events['ROOM_UPDATE']): State => withRoom(state, room),
  ROOM_DELETE: (state: State, { room_id }: Events['ROOM_DELETE']): State =>
    withoutRoom(withLastSeqRemembered(state, room_id), room_id),
}

/** Removes a room, its threads and their data, but not its read state, because the user may regain access. */
export function withoutRoom(state: State, roomId: string): State {
  const left = withoutChannel(withoutOverwrites(state, roomId), roomId)
  const rooms = without(left.rooms, roomId)
  return withoutThreads({ ...left, rooms }, ({ parent_id }) => parent_id === roomId)
}

function withRoom(state: State, room: Room): State {
  const known = state.rooms[room.id]
  const updated = { ...state, rooms: { ...state.rooms, [room.id]: newerRoom(known, room) } }
  return known === undefined ? withUnseenCounted(updated, room.id) : updated
}

/** Removes the overwrites of a room, because they may have changed by the time the user regains access. */
function withoutOverwrites(state: State, roomId: string): State {
  const space = state.spaces[state.rooms[roomId]?.space_id ?? '']
  if (space === undefined) return state
  const overwrites = space.overwrites.filter((overwrite) => overwrite.room_id !== roomId)
  return { ...state, spaces: { ...state.spaces, [space.id]: { ...space, overwrites } } }
}
