import type { EventName, Events } from '@foyer/protocol/events'
import type { Message } from '@foyer/protocol/messages'
import type { Presence } from '@foyer/protocol/presence'
import type { OwnThread } from '@foyer/protocol/thread-rooms'
import type { User } from '@foyer/protocol/users'
import { callReducers } from './calls.ts'
import { conversationReducers } from './conversations.ts'
import { doorReducers } from './door.ts'
import type { Draft, DraftChange } from './draft.ts'
import { withDraft, withoutDraft, withoutUnsent, withRestoredDrafts } from './drafts.ts'
import { friendReducers } from './friends.ts'
import { type LoadedMembers, memberReducers, withMembers } from './members.ts'
import { messageReducers, withHistory, withSent } from './messages/messages.ts'
import { type Pause, withOutgoing, withoutOutgoing, withPause } from './messages/outbox.ts'
import { reactionReducers } from './messages/reactions.ts'
import { readStateReducers, withRead, withReading, withReadSettled } from './messages/read-states.ts'
import type { Page } from './messages/timeline.ts'
import { typingReducers, withoutExpiredTyping } from './messages/typing.ts'
import { notificationSettingReducers, withMutesEnded } from './notification-settings.ts'
import { presenceReducers, withGlimpses } from './presences.ts'
import { readyReducers } from './ready.ts'
import { roleReducers } from './roles.ts'
import { roomReducers } from './rooms.ts'
import { spaceImageReducers } from './space-images.ts'
import { spaceReducers } from './spaces.ts'
import { type Connection, initialState, type OutgoingMessage, type State } from './state.ts'
import { threadReducers, withThreads } from './thread-rooms.ts'
import { userReducers, withUsers } from './users.ts'
import { voiceStateReducers } from './voice-states.ts'

/** Events of this client, and responses to its requests. */
export interface LocalEvents {
  signed_in: null
  signed_out: null
  connection_changed: Connection
  history_loaded: Page
  /** Members from a response, for which no gateway event follows. */
  members_loaded: LoadedMembers
  users_loaded: readonly User[]
  /** Presences of the visible part of the member list. */
  members_glimpsed: readonly Presence[]
  threads_loaded: readonly OwnThread[]
  message_queued: OutgoingMessage
  message_sent: Message
  message_discarded: { channel_id: string; nonce: string }
  /** The server rejects messages of a channel for a while, or accepts them again. */
  sending_paused: Pause
  /** Time until which a rate-limited request waits, in milliseconds of server time. */
  slowed_down: number
  draft_changed: DraftChange
  draft_dropped: { channel_id: string }
  drafts_restored: Readonly<Record<string, Draft>>
  /** The channel was deleted, not just hidden from the user. */
  channel_deleted: { channel_id: string }
  /** The user reordered the spaces. */
  spaces_ordered: readonly string[]
  typing_expired: { channel_id: string }
  /** The user has seen everything up to a message. */
  channel_read: { channel_id: string; seq: number }
  read_settled: { channel_id: string; seq: number }
  /** The user entered the channel, or jumped to the latest message. */
  channel_entered: { channel_id: string }
  chat_turned: { room_id: string; is_open: boolean }
  /** Spaces and conversations saved when the app was last open. */
  offline_state_restored: Partial<State>
  /** A mute has expired. */
  mutes_ended: null
  decision_noted: null
}

/** `at` is the time of receipt in milliseconds of `Date.now()`. */
type Reducer<Data> = (state: State, data: Data, at: number) => State

/** Events that change no state: the components that show their data subscribe themselves. */
type Stateless =
  | 'ROOM_PINS_UPDATE'
  | 'THREAD_CREATE'
  | 'SPACE_WEBHOOKS_UPDATE'
  | 'APPLICATION_COMMANDS_UPDATE'
  | 'INTERACTION_CREATE'
  | 'INTERACTION_UPDATE'
  | 'SERVER_REPORTS_UPDATE'
  | 'ANNOUNCEMENTS_UPDATE'

/** Reducers of the other gateway events. */
const reducers: { [Name in EventName]?: Reducer<Events[Name]> } = {
  ...readyReducers,
  ...userReducers,
  ...friendReducers,
  ...spaceReducers,
  ...doorReducers,
  ...roleReducers,
  ...spaceImageReducers,
  ...memberReducers,
  ...roomReducers,
  ...threadReducers,
  ...conversationReducers,
  ...messageReducers,
  ...reactionReducers,
  ...readStateReducers,
  ...notificationSettingReducers,
  ...typingReducers,
  ...voiceStateReducers,
  ...callReducers,
  ...presenceReducers,
  REPORT_UPDATE: (state) => ({ ...state, decision: 'report' }),
  APPEAL_UPDATE: (state) => ({ ...state, decision: 'appeal' }),
} satisfies { [Name in Exclude<EventName, Stateless>]: Reducer<Events[Name]> }

const localReducers: { [Name in keyof LocalEvents]: Reducer<LocalEvents[Name]> } = {
  signed_in: (state) => ({ ...state, signedIn: true }),
  signed_out: () => initialState,
  connection_changed: (state, connection) => ({ ...state, connection }),
  history_loaded: withHistory,
  members_loaded: withMembers,
  users_loaded: withUsers,
  members_glimpsed: withGlimpses,
  threads_loaded: withThreads,
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
  offline_state_restored: (state, saved) => (state.me === null ? { ...state, ...saved } : state),
  mutes_ended: withMutesEnded,
  decision_noted: (state) => ({ ...state, decision: null }),
}

/** Returns the state after a gateway event. Unknown events are ignored. */
export function reduceEvent<Name extends EventName>(
  state: State,
  name: Name,
  data: Events[Name],
  at: number,
): State {
  return (Object.hasOwn(reducers, name) && reducers[name]?.(state, data, at)) || state
}

/** Returns the state after an event of this client. */
export function reduceLocal<Name extends keyof LocalEvents>(
  state: State,
  name: Name,
  data: LocalEvents[Name],
  at: number,
): State {
  return localReducers[name](state, data, at)
}
