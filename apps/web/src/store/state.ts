import type { Conversation } from '@foyer/protocol/conversations'
import type { Block, Friend, FriendRequest } from '@foyer/protocol/friends'
import { NOTICE_INTERVAL_MS } from '@foyer/protocol/limits'
import type { MemberWithUser } from '@foyer/protocol/members'
import type { CreateMessageBody, Message, ReadState } from '@foyer/protocol/messages'
import type { NotificationSetting } from '@foyer/protocol/notifications'
import type { Presence } from '@foyer/protocol/presence'
import type { Room } from '@foyer/protocol/rooms'
import type { SpaceState } from '@foyer/protocol/spaces'
import type { SpaceSticker } from '@foyer/protocol/stickers'
import type { CurrentUser, User } from '@foyer/protocol/users'
import type { Call, VoiceState } from '@foyer/protocol/voice'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import type { Draft } from './draft.ts'

/** How often notices of typing are sent: the server passes on no more, and some get there a little early. */
export const TYPING_INTERVAL_MS = NOTICE_INTERVAL_MS + 100
/** Messages that one channel keeps; what is beyond is fetched again when somebody scrolls there. */
export const MAX_HELD_MESSAGES = 400
/** Channels whose messages are kept, the longest ago loaded first to go. */
export const MAX_TIMELINES = 12
/** How long a notice of typing is shown: nothing tells that somebody stopped. One notice may be lost before it fades. */
export const TYPING_SHOWN_MS = 2 * TYPING_INTERVAL_MS + 300
/** Members that are known of one space: more than any list shows at once. */
export const MAX_KNOWN_MEMBERS = 1000
/** Deleted ids that are remembered, so that a page which was under way cannot bring them back. */
export const MAX_TOMBSTONES = 1000

export type Connection = 'idle' | 'connecting' | 'ready' | 'reconnecting' | 'closed'

export type SpaceEntry = Omit<SpaceState, 'rooms' | 'voice_states'>

/** A channel's messages in the order of `seq`: an unbroken run, but for what `missedAfter` says. */
export interface Timeline {
  readonly messages: readonly Message[]
  readonly hasOlder: boolean
  /** The run ends before the present: live messages do not join it. */
  readonly hasNewer: boolean
  /** Right after this `seq` something may be missing; what is held beyond came live. Null when nothing is. */
  readonly missedAfter: number | null
}

export type SendOptions = Pick<CreateMessageBody, 'reference' | 'allowed_mentions' | 'flags'>

/** A message on its way. Its nonce lets it be sent again without ever being there twice. */
export interface OutgoingMessage {
  readonly nonce: string
  readonly channel: ChannelAddress
  readonly content: string
  /** What it answers, and whom it tells. */
  readonly options: SendOptions
  /** The files that it waits for and takes along. */
  readonly upload_ids: readonly string[]
  readonly stickers: readonly SpaceSticker[]
  readonly created_at: string
  /** `waiting` is sent again by itself once the server is reached; `failed` was refused. */
  readonly status: 'sending' | 'waiting' | 'failed'
  readonly error: string | null
}

/** How far a channel is read, and what is unread in it. */
export interface ReadEntry extends ReadState {
  /** The newest message that the counts know of: what is told twice counts once. */
  readonly counted_seq: number
  /** Read here up to this `seq`, which the server has not confirmed: what it says of an earlier one is late. */
  readonly awaited_seq: number | null
  /** How far the server said it, or was told. What one writes oneself reads further, of which the server is not told. */
  readonly acked_seq: number
  /** The reader went back: what is in view is not read by itself, until they come anew or say so. */
  readonly kept_unread: boolean
}

/** By user id, whoever came last at the end. */
export type KnownMembers = Readonly<Record<string, MemberWithUser>>

export interface TypingNotice {
  readonly kind: 'typing' | 'recording'
  readonly until: number
}

export interface State {
  readonly signedIn: boolean
  readonly connection: Connection
  readonly me: CurrentUser | null
  readonly users: Readonly<Record<string, User>>
  readonly spaces: Readonly<Record<string, SpaceEntry>>
  readonly rooms: Readonly<Record<string, Room>>
  readonly conversations: Readonly<Record<string, Conversation>>
  /** By channel id, as are the timelines and what follows them. Nothing is unread in a channel without one. */
  readonly readStates: Readonly<Record<string, ReadEntry>>
  /** What was chosen for spaces, rooms, categories and conversations, by their ids; without mutes that are over. */
  readonly notificationSettings: Readonly<Record<string, NotificationSetting>>
  /** By space, those whom something here showed or asked for, as they are now. */
  readonly members: Readonly<Record<string, KnownMembers>>
  /** How those are seen whom the list of members shows, by user id: who is offline too. */
  readonly glimpses: Readonly<Record<string, Presence>>
  /** By the other's user id. */
  readonly friends: Readonly<Record<string, Friend>>
  /** Received and sent, by their own id. */
  readonly friendRequests: Readonly<Record<string, FriendRequest>>
  /** By the blocked user's id. */
  readonly blocks: Readonly<Record<string, Block>>
  /** By user id, of those who are not offline. */
  readonly presences: Readonly<Record<string, Presence>>
  readonly timelines: Readonly<Record<string, Timeline>>
  readonly tombstones: readonly string[]
  readonly outbox: Readonly<Record<string, readonly OutgoingMessage[]>>
  /** By channel id, until when the server takes no more messages, in milliseconds of its time. */
  readonly pauses: Readonly<Record<string, number>>
  /** Until when another request waits that was made too often, in milliseconds of the server's time. */
  readonly slowedUntil: number
  readonly drafts: Readonly<Record<string, Draft>>
  /** The ids of spaces, as the reader has put them on this device; others come behind. */
  readonly spaceOrder: readonly string[]
  readonly typing: Readonly<Record<string, Readonly<Record<string, TypingNotice>>>>
  /** Who is in a voice room or a call. */
  readonly voices: Readonly<Record<string, readonly VoiceState[]>>
  /** By the ids of voice rooms: whether their messages stand beside who is there. */
  readonly openChats: Readonly<Record<string, boolean>>
  /** Under way, by conversation. */
  readonly calls: Readonly<Record<string, Call>>
}

export const initialState: State = {
  signedIn: false,
  connection: 'idle',
  me: null,
  users: {},
  spaces: {},
  rooms: {},
  conversations: {},
  readStates: {},
  notificationSettings: {},
  members: {},
  glimpses: {},
  friends: {},
  friendRequests: {},
  blocks: {},
  presences: {},
  timelines: {},
  tombstones: [],
  outbox: {},
  pauses: {},
  slowedUntil: 0,
  drafts: {},
  spaceOrder: [],
  typing: {},
  voices: {},
  openChats: {},
  calls: {},
}

/** The record without one of its keys; the record itself when it has no such key. */
export function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  if (!(key in record)) return record
  const { [key]: _, ...rest } = record
  return rest
}
