import type { Events } from '@foyer/protocol/events'
import { type State, TYPING_SHOWN_MS, type TypingNotice, without } from './state.ts'

export const typingReducers = {
  TYPING_START: (state: State, data: Events['TYPING_START'], at: number): State =>
    withTyping(state, data, { kind: 'typing', until: at + TYPING_SHOWN_MS }),
  RECORDING_START: (state: State, data: Events['RECORDING_START'], at: number): State =>
    withTyping(state, data, { kind: 'recording', until: at + TYPING_SHOWN_MS }),
}

/** The state without one person's notice in a room. */
export function withoutTyping(state: State, roomId: string, userId: string): State {
  const room = state.typing[roomId]
  if (room === undefined || !(userId in room)) return state
  return { ...state, typing: { ...state.typing, [roomId]: without(room, userId) } }
}

/** The state without a room's notices whose time is over. */
export function withoutExpiredTyping(state: State, roomId: string, at: number): State {
  const live = Object.entries(state.typing[roomId] ?? {}).filter(([, notice]) => notice.until > at)
  return { ...state, typing: { ...state.typing, [roomId]: Object.fromEntries(live) } }
}

function withTyping(state: State, { room_id, user_id }: Events['TYPING_START'], notice: TypingNotice): State {
  if (room_id === null || user_id === state.me?.id) return state
  return { ...state, typing: { ...state.typing, [room_id]: { ...state.typing[room_id], [user_id]: notice } } }
}
