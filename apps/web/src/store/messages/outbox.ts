import { channelIdOf } from '../channels.ts'
import { type OutgoingMessage, type State, without } from '../state.ts'

/** Adds or updates a queued message. */
export function withOutgoing(state: State, message: OutgoingMessage): State {
  const channelId = channelIdOf(message.channel)
  const held = state.outbox[channelId] ?? []
  const index = held.findIndex((other) => other.nonce === message.nonce)
  const changed = index === -1 ? [...held, message] : held.with(index, message)
  return { ...state, outbox: { ...state.outbox, [channelId]: changed } }
}

/** Removes a queued message. Returns the same state if there is none with this nonce. */
export function withoutOutgoing(state: State, channelId: string, nonce: string): State {
  const held = state.outbox[channelId]
  if (held === undefined || !held.some((message) => message.nonce === nonce)) return state
  return {
    ...state,
    outbox: { ...state.outbox, [channelId]: held.filter((message) => message.nonce !== nonce) },
  }
}

export interface Pause {
  readonly channel_id: string
  /** End of the pause, in milliseconds of server time; null if the pause is over. */
  readonly until: number | null
}

export function withPause(state: State, { channel_id, until }: Pause): State {
  const others = without(state.pauses, channel_id)
  return { ...state, pauses: until === null ? others : { ...others, [channel_id]: until } }
}
