import type { Events } from '@foyer/protocol/events'
import type { Room } from '@foyer/protocol/rooms'
import { type State, type Timeline, without } from './state.ts'

export const roomReducers = {
  ROOM_CREATE: (state: State, room: Events['ROOM_CREATE']): State => withRoom(state, room),
  ROOM_UPDATE: (state: State, room: Events['ROOM_UPDATE']): State => withRoom(state, room),
  ROOM_DELETE: (state: State, { room_id }: Events['ROOM_DELETE']): State => withoutRoom(state, room_id),
  MESSAGE_ACK: (state: State, read: Events['MESSAGE_ACK']): State => {
    const room = read.room_id === null ? undefined : state.rooms[read.room_id]
    if (room === undefined) return state
    const seq = hasAllRead(state.timelines[room.id], read.last_read_seq) ? room.last_seq : read.last_read_seq
    return { ...state, readSeqs: { ...state.readSeqs, [room.id]: seq } }
  },
}

/** The state without the room and all that was kept for it, but how far it was read: one may see it again. */
export function withoutRoom(state: State, roomId: string): State {
  return {
    ...withoutOverwrites(state, roomId),
    rooms: without(state.rooms, roomId),
    timelines: without(state.timelines, roomId),
    outbox: without(state.outbox, roomId),
    drafts: without(state.drafts, roomId),
    typing: without(state.typing, roomId),
  }
}

/** The room as it is told; that may be older than a message that was heard: its newest `seq` never goes back. */
export function newerRoom(known: Room | undefined, room: Room): Room {
  if (known === undefined || known.last_seq <= room.last_seq) return room
  return { ...room, last_seq: known.last_seq, last_message_id: known.last_message_id }
}

/** The newest `seq` may be of a message that was deleted, which nobody can read any more. */
function hasAllRead(timeline: Timeline | undefined, seq: number): boolean {
  if (timeline === undefined || timeline.hasNewer || timeline.missedAfter !== null) return false
  return (timeline.messages.at(-1)?.seq ?? 0) <= seq
}

function withRoom(state: State, room: Room): State {
  return { ...state, rooms: { ...state.rooms, [room.id]: newerRoom(state.rooms[room.id], room) } }
}

/** The room may leave and come back without them. */
function withoutOverwrites(state: State, roomId: string): State {
  const space = state.spaces[state.rooms[roomId]?.space_id ?? '']
  if (space === undefined) return state
  const overwrites = space.overwrites.filter((overwrite) => overwrite.room_id !== roomId)
  return { ...state, spaces: { ...state.spaces, [space.id]: { ...space, overwrites } } }
}
