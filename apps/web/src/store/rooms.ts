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

/** The state without the room and all that was kept for it. */
export function withoutRoom(state: State, roomId: string): State {
  return {
    ...state,
    rooms: without(state.rooms, roomId),
    readSeqs: without(state.readSeqs, roomId),
    timelines: without(state.timelines, roomId),
    outbox: without(state.outbox, roomId),
    drafts: without(state.drafts, roomId),
    typing: without(state.typing, roomId),
  }
}

/** The newest `seq` may be of a message that was deleted, which nobody can read any more. */
function hasAllRead(timeline: Timeline | undefined, seq: number): boolean {
  if (timeline === undefined || timeline.hasNewer || timeline.missedAfter !== null) return false
  return (timeline.messages.at(-1)?.seq ?? 0) <= seq
}

/** A room's event may be older than a message that was heard: its newest `seq` never goes back. */
function withRoom(state: State, room: Room): State {
  const known = state.rooms[room.id]
  const ahead = known !== undefined && known.last_seq > room.last_seq
  const newest = ahead ? { last_seq: known.last_seq, last_message_id: known.last_message_id } : {}
  return { ...state, rooms: { ...state.rooms, [room.id]: { ...room, ...newest } } }
}
