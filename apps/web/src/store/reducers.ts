import type { EventName, Events } from '@foyer/protocol/events'
import type { Message } from '@foyer/protocol/messages'
import type { Presence } from '@foyer/protocol/presence'
import type { User } from '@foyer/protocol/users'
import { callReducers } from './calls.ts'
import { conversationReducers } from './conversations.ts'
import type { Draft, DraftChange } from './draft.ts'
import { withDraft, withoutDraft, withoutUnsent, withRestoredDrafts } from './drafts.ts'
import { friendReducers } from './friends.ts'
import { memberReducers, type ToldMembers, withMembers } from './members.ts'
import { messageReducers, withHistory, withSent } from './messages.ts'
import { notificationSettingReducers, withMutesEnded } from './notification-settings.ts'
import { type Pause, withOutgoing, withoutOutgoing, withPause } from './outbox.ts'
import { presenceReducers, withGlimpses } from './presences.ts'
import { reactionReducers } from './reactions.ts'
import { readStateReducers, withRead, withReading, withReadSettled } from './read-states.ts'
import { readyReducers } from './ready.ts'
import { roleReducers } from './roles.ts'
import { roomReducers } from './rooms.ts'
import { spaceImageReducers } from './space-images.ts'
import { spaceReducers } from './spaces.ts'
import { type Connection, initialState, type OutgoingMessage, type State } from './state.ts'
import type { Page } from './timeline.ts'
import { typingReducers, withoutExpiredTyping } from './typing.ts'
import { userReducers, withUsers } from './users.ts'
import { voiceStateReducers } from './voice-states.ts'

/** What happens in this client alone, and answers to its own requests. */
export interface LocalEvents {
  signed_in: null
  signed_out: null
  connection_changed: Connection
  history_loaded: Page
  /** By an answer that no event repeats. */
  members_told: ToldMembers
  users_told: readonly User[]
  /** How all those are seen whom the list of members shows now. */
  members_glimpsed: readonly Presence[]
  message_queued: OutgoingMessage
  message_sent: Message
  message_discarded: { channel_id: string; nonce: string }
  /** The server takes no more messages of a channel for a while, or takes them again. */
  sending_paused: Pause
  /** Another request waits until this time, in milliseconds of the server's time. */
  slowed_down: number
  draft_changed: DraftChange
  draft_dropped: { channel_id: string }
  drafts_restored: Readonly<Record<string, Draft>>
  /** For good: what is out of sight may come back. */
  channel_deleted: { channel_id: string }
  /** The reader has their spaces stand in this order. */
  spaces_ordered: readonly string[]
  typing_expired: { channel_id: string }
  /** Everything up to a message was seen here. */
  channel_read: { channel_id: string; seq: number }
  read_settled: { channel_id: string; seq: number }
  /** The reader came to the channel, or back to its present. */
  channel_entered: { channel_id: string }
  chat_turned: { room_id: string; is_open: boolean }
  /** Where the reader could go when the app was open before. */
  places_restored: Partial<State>
  /** The time of a mute is over. */
  mutes_ended: null
}

/** `at` is when the event was heard, in milliseconds of `Date.now()`. */
type Reducer<Data> = (state: State, data: Data, at: number) => State

/** The one table through which the state changes on what the gateway says. */
export const reducers: { [Name in EventName]: Reducer<Events[Name]> } = {
  ...readyReducers,
  ...userReducers,
  ...friendReducers,
  ...spaceReducers,
  ...roleReducers,
  ...spaceImageReducers,
  ...memberReducers,
  ...roomReducers,
  ...conversationReducers,
  ...messageReducers,
  ...reactionReducers,
  ...readStateReducers,
  ...notificationSettingReducers,
  ...typingReducers,
  ...voiceStateReducers,
  ...callReducers,
  ...presenceReducers,
  // Who shows pins, webhooks or what bots answer listens for itself.
  ROOM_PINS_UPDATE: (state) => state,
  SPACE_WEBHOOKS_UPDATE: (state) => state,
  APPLICATION_COMMANDS_UPDATE: (state) => state,
  INTERACTION_CREATE: (state) => state,
  INTERACTION_UPDATE: (state) => state,
}

const localReducers: { [Name in keyof LocalEvents]: Reducer<LocalEvents[Name]> } = {
  signed_in: (state) => ({ ...state, signedIn: true }),
  signed_out: () => initialState,
  connection_changed: (state, connection) => ({ ...state, connection }),
  history_loaded: withHistory,
  members_told: withMembers,
  users_told: withUsers,
  members_glimpsed: withGlimpses,
  message_queued: withOutgoing,
  message_sent: withSent,
  message_discarded: (state, { channel_id, nonce }) => withoutOutgoing(state, channel_id, nonce),
  sending_paused: withPause,
  slowed_down: (state, slowedUntil) => ({ ...state, slowedUntil }),
  draft_changed: withDraft,
  draft_dropped: withoutDraft,
  drafts_restored: withRestoredDrafts,
  channel_deleted: withoutUnsent,
  spaces_ordered: (state, spaceOrder) => ({ ...state, spaceOrder }),
  typing_expired: (state, { channel_id }, at) => withoutExpiredTyping(state, channel_id, at),
  channel_read: withRead,
  read_settled: withReadSettled,
  channel_entered: withReading,
  chat_turned: (state, { room_id, is_open }) => ({
    ...state,
    openChats: { ...state.openChats, [room_id]: is_open },
  }),
  places_restored: (state, places) => (state.me === null ? { ...state, ...places } : state),
  mutes_ended: withMutesEnded,
}

/** The state after an event of the gateway; one that this version does not know leaves it as it is. */
export function reduceEvent<Name extends EventName>(
  state: State,
  name: Name,
  data: Events[Name],
  at: number,
): State {
  return Object.hasOwn(reducers, name) ? reducers[name](state, data, at) : state
}

/** The state after something that happened in this client. */
export function reduceLocal<Name extends keyof LocalEvents>(
  state: State,
  name: Name,
  data: LocalEvents[Name],
  at: number,
): State {
  return localReducers[name](state, data, at)
}
