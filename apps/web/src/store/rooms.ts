import type { Events } from '@foyer/protocol/events'
import type { Room } from '@foyer/protocol/rooms'
import { withoutChannel } from './channels.ts'
import { withKnownEnd, withMissedCounted } from './read-states.ts'
import { type State, without } from './state.ts'

export const roomReducers = {
  ROOM_CREATE: (state: State, room: Events['ROOM_CREATE']): State => withRoom(state, room),
  ROOM_UPDATE: (state: State, room: Events['ROOM_UPDATE']): State => withRoom(state, room),
  ROOM_DELETE: (state: State, { room_id }: Events['ROOM_DELETE']): State =>
    withoutRoom(withKnownEnd(state, room_id), room_id),
}

/** The state without the room and all that was kept for it, but how far it was read: one may see it again. */
export function withoutRoom(state: State, roomId: string): State {
  const left = withoutChannel(withoutOverwrites(state, roomId), roomId)
  return { ...left, rooms: without(left.rooms, roomId) }
}

/** The room as it is told; that may be older than a message that was heard: its newest `seq` never goes back. */
export function newerRoom(known: Room | undefined, room: Room): Room {
  if (known === undefined || known.last_seq <= room.last_seq) return room
  return { ...room, last_seq: known.last_seq, last_message_id: known.last_message_id }
}

function withRoom(state: State, room: Room): State {
  const known = state.rooms[room.id]
  const told = { ...state, rooms: { ...state.rooms, [room.id]: newerRoom(known, room) } }
  return known === undefined ? withMissedCounted(told, room.id) : told
}

/** The room may leave and come back without them. */
function withoutOverwrites(state: State, roomId: string): State {
  const space = state.spaces[state.rooms[roomId]?.space_id ?? '']
  if (space === undefined) return state
  const overwrites = space.overwrites.filter((overwrite) => overwrite.room_id !== roomId)
  return { ...state, spaces: { ...state.spaces, [space.id]: { ...space, overwrites } } }
}
