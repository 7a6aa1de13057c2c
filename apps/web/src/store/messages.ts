import type { Events } from '@foyer/protocol/events'
import type { Message } from '@foyer/protocol/messages'
import { withoutOutgoing } from './outbox.ts'
import { MAX_TIMELINES, MAX_TOMBSTONES, type State, type Timeline, without } from './state.ts'
import { type Page, withEdited, withGap, withMessage, withoutHeld, withPage } from './timeline.ts'
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
  MESSAGE_DELETE: (state: State, { id, room_id, seq }: Events['MESSAGE_DELETE']): State =>
    withoutMessages(state, room_id, [{ id, seq }]),
  /** It names no `seq`: of messages that this client does not hold, the server knows whether they were read. */
  MESSAGE_DELETE_BULK: (state: State, { ids, room_id }: Events['MESSAGE_DELETE_BULK']): State => {
    const held = new Map(state.timelines[room_id ?? '']?.messages.map((message) => [message.id, message.seq]))
    const gone = ids.map((id) => ({ id, seq: held.get(id) ?? null }))
    return withoutMessages(state, room_id, gone)
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

function withoutMessages(
  state: State,
  roomId: string | null,
  gone: readonly { id: string; seq: number | null }[],
): State {
  const ids = new Set(gone.map(({ id }) => id))
  const seqs = new Set(gone.map(({ seq }) => seq))
  const tombstones = [...state.tombstones, ...ids].slice(-MAX_TOMBSTONES)
  const readSeqs = roomId === null ? state.readSeqs : withNextRead(state.readSeqs, roomId, seqs)
  return withTimeline({ ...state, tombstones, readSeqs }, roomId, (timeline) => withoutHeld(timeline, ids))
}

/** The first unread message is not unread once it is gone. */
function withNextRead(readSeqs: State['readSeqs'], roomId: string, gone: ReadonlySet<number | null>) {
  let read = readSeqs[roomId] ?? 0
  while (gone.has(read + 1)) read += 1
  return read === (readSeqs[roomId] ?? 0) ? readSeqs : { ...readSeqs, [roomId]: read }
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
