import type { Events } from '@foyer/protocol/events'
import type { Message } from '@foyer/protocol/messages'
import { withoutOutgoing } from './outbox.ts'
import { MAX_TIMELINES, MAX_TOMBSTONES, type State, type Timeline, without } from './state.ts'
import { type Page, withEdited, withGap, withMessage, withoutMessage, withPage } from './timeline.ts'
import { withoutTyping } from './typing.ts'
import { withUsers } from './users.ts'

export const messageReducers = {
  MESSAGE_CREATE: (state: State, message: Events['MESSAGE_CREATE']): State => {
    if (message.room_id === null) return state
    const room = state.rooms[message.room_id]
    const last = room?.last_seq ?? message.seq
    const heard = withRead(withNewest(withSent(state, message), message), message)
    if (message.seq <= last + 1) return heard
    return withTimeline(heard, message.room_id, (timeline) => withGap(timeline, last))
  },
  MESSAGE_UPDATE: (state: State, message: Events['MESSAGE_UPDATE']): State =>
    withTimeline(withUsers(state, [message.author]), message.room_id, (timeline) =>
      withEdited(timeline, message),
    ),
  MESSAGE_DELETE: (state: State, { id, room_id, seq }: Events['MESSAGE_DELETE']): State => {
    const tombstones = [...state.tombstones, id].slice(-MAX_TOMBSTONES)
    // The first unread message is not unread once it is gone.
    const isNextToRead = room_id !== null && seq === (state.readSeqs[room_id] ?? 0) + 1
    const readSeqs = isNextToRead ? { ...state.readSeqs, [room_id]: seq } : state.readSeqs
    return withTimeline({ ...state, tombstones, readSeqs }, room_id, (timeline) =>
      withoutMessage(timeline, id),
    )
  },
}

/**
 * The state with a message at its place in its timeline, and not in the outbox any more. Also for the answer
 * to sending, which may be ahead of the gateway and therefore says nothing about what was missed.
 */
export function withSent(state: State, message: Message): State {
  if (message.room_id === null) return state
  const known = withoutTyping(withUsers(state, [message.author]), message.room_id, message.author.id)
  const own = message.nonce !== null && message.author.id === state.me?.id
  const sent = own ? withoutOutgoing(known, message.room_id, message.nonce ?? '') : known
  if (state.tombstones.includes(message.id)) return sent
  return withTimeline(sent, message.room_id, (timeline) => withMessage(timeline, message))
}

/** The state with a page of history; the timelines that were loaded longest ago make room for it. */
export function withHistory(state: State, page: Page): State {
  const messages = page.messages.filter((message) => !state.tombstones.includes(message.id))
  const known = withUsers(
    state,
    messages.map((message) => message.author),
  )
  const timeline = withPage(state.timelines[page.room_id], { ...page, messages })
  const others = Object.entries(without(state.timelines, page.room_id)).slice(1 - MAX_TIMELINES)
  return { ...known, timelines: { ...Object.fromEntries(others), [page.room_id]: timeline } }
}

function withTimeline(state: State, roomId: string | null, change: (timeline: Timeline) => Timeline): State {
  const timeline = roomId === null ? undefined : state.timelines[roomId]
  if (roomId === null || timeline === undefined) return state
  const changed = change(timeline)
  return changed === timeline ? state : { ...state, timelines: { ...state.timelines, [roomId]: changed } }
}

function withNewest(state: State, { room_id, seq, id }: Message): State {
  const room = room_id === null ? undefined : state.rooms[room_id]
  if (room === undefined || room.last_seq >= seq) return state
  return { ...state, rooms: { ...state.rooms, [room.id]: { ...room, last_seq: seq, last_message_id: id } } }
}

/** Who writes has read what stands above it. */
function withRead(state: State, { room_id, author, seq }: Message): State {
  if (room_id === null || author.id !== state.me?.id || (state.readSeqs[room_id] ?? 0) >= seq) return state
  return { ...state, readSeqs: { ...state.readSeqs, [room_id]: seq } }
}
