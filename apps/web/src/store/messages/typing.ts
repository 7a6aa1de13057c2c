import type { Events } from '@foyer/protocol/events'
import { channelOfEvent } from '../channels.ts'
import { type State, TYPING_SHOWN_MS, type TypingIndicator, without } from '../state.ts'

export const typingReducers = {
  TYPING_START: (state: State, data: Events['TYPING_START'], at: number): State =>
    withTyping(state, data, { kind: 'typing', until: at + TYPING_SHOWN_MS }),
  RECORDING_START: (state: State, data: Events['RECORDING_START'], at: number): State =>
    withTyping(state, data, { kind: 'recording', until: at + TYPING_SHOWN_MS }),
}

/** Removes one user's typing indicator of a channel. */
export function withoutTyping(state: State, channelId: string, userId: string): State {
  const notices = state.typing[channelId]
  if (notices === undefined || !(userId in notices)) return state
  return { ...state, typing: { ...state.typing, [channelId]: without(notices, userId) } }
}

/** Removes expired typing indicators of a channel. */
export function withoutExpiredTyping(state: State, channelId: string, at: number): State {
  const live = Object.entries(state.typing[channelId] ?? {}).filter(([, notice]) => notice.until > at)
  return { ...state, typing: { ...state.typing, [channelId]: Object.fromEntries(live) } }
}

function withTyping(state: State, data: Events['TYPING_START'], notice: TypingIndicator): State {
  if (data.user_id === state.me?.id) return state
  const id = channelOfEvent(data)
  return { ...state, typing: { ...state.typing, [id]: { ...state.typing[id], [data.user_id]: notice } } }
}
