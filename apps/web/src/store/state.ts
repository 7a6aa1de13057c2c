import type { Conversation } from '@foyer/protocol/conversations'
import type { Door, WaitingSpace } from '@foyer/protocol/door'
import type { Block, Friend, FriendRequest } from '@foyer/protocol/friends'
import { NOTICE_INTERVAL_MS } from '@foyer/protocol/limits'
import type { MemberWithUser } from '@foyer/protocol/members'
import type { CreateMessageBody, Message, ReadState } from '@foyer/protocol/messages'
import type { NotificationSetting } from '@foyer/protocol/notifications'
import type { ChosenStatus, Presence } from '@foyer/protocol/presence'
import type { Room } from '@foyer/protocol/rooms'
import type { SpaceState } from '@foyer/protocol/spaces'
import type { SpaceSticker } from '@foyer/protocol/stickers'
import type { FollowLevel, Thread } from '@foyer/protocol/thread-rooms'
import type { CurrentUser, User } from '@foyer/protocol/users'
import type { Call, VoiceState } from '@foyer/protocol/voice'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import type { Draft } from './draft.ts'

/** Interval of typing requests. The server drops more frequent ones, and some arrive a little early. */
export const TYPING_INTERVAL_MS = NOTICE_INTERVAL_MS + 100
/** Maximum number of loaded messages per channel. Other messages are fetched again when the user scrolls there. */
export const MAX_HELD_MESSAGES = 400
/** Maximum number of channels with loaded messages. The channel loaded longest ago is removed first. */
export const MAX_TIMELINES = 12
/** Time that a typing indicator is shown, since there is no event for the end. One lost event does not hide it. */
export const TYPING_SHOWN_MS = 2 * TYPING_INTERVAL_MS + 300
/** Maximum number of loaded members per space: more than any list shows at once. */
export const MAX_KNOWN_MEMBERS = 1000
/** Maximum number of remembered deletions, so that a page requested before a deletion does not restore the message. */
export const MAX_TOMBSTONES = 1000

export type Connection = 'idle' | 'connecting' | 'ready' | 'reconnecting' | 'closed'

export type SpaceEntry = Omit<SpaceState, 'rooms' | 'voice_states'>

/** A channel's messages in the order of `seq`, without gaps except after `missedAfter`. */
export interface Timeline {
  readonly messages: readonly Message[]
  readonly hasOlder: boolean
  /** The timeline ends before the present, so live messages are not added. */
  readonly hasNewer: boolean
  /** Messages may be missing right after this `seq`. Later messages arrived live. Null if there is no gap. */
  readonly missedAfter: number | null
}

export type SendOptions = Pick<CreateMessageBody, 'reference' | 'allowed_mentions' | 'flags' | 'also_to_room'>

/** A queued message. Its nonce allows sending it again without posting it twice. */
export interface OutgoingMessage {
  readonly nonce: string
  readonly channel: ChannelAddress
  readonly content: string
  /** The message that this one replies to, and the allowed mentions. */
  readonly options: SendOptions
  /** Files to attach. The message waits until they are uploaded. */
  readonly upload_ids: readonly string[]
  readonly stickers: readonly SpaceSticker[]
  readonly created_at: string
  /** `waiting` is retried when the server can be reached; `failed` was rejected. */
  readonly status: 'sending' | 'waiting' | 'failed'
  readonly error: string | null
  /** Set if AutoMod stopped the message. It was refused, or it waits for a moderator. */
  readonly stopped?: 'refused' | 'held'
}

/** Read position and unread counts of a channel. */
export interface ReadEntry extends ReadState {
  /** The newest message included in the counts, so that duplicates count once. */
  readonly counted_seq: number
  /** Read position that the server has not confirmed. Its answers about earlier positions are stale. */
  readonly awaited_seq: number | null
  /** Last position exchanged with the server. The user's own messages move `last_read_seq` further without a request. */
  readonly acked_seq: number
  /** The user marked messages as unread. Visible messages stay unread until the user enters again or marks them read. */
  readonly kept_unread: boolean
}

/** A thread that the user follows or has opened, as a room whose `parent_id` is its text room. */
export interface ThreadEntry extends Room {
  readonly parent_id: string
  readonly thread: Thread
  /** Null for a thread that the user does not follow. */
  readonly follow: FollowLevel | null
}

/** Members by user id, last added at the end. */
export type KnownMembers = Readonly<Record<string, MemberWithUser>>

export interface TypingIndicator {
  readonly kind: 'typing' | 'recording'
  readonly until: number
}

export interface State {
  readonly signedIn: boolean
  readonly connection: Connection
  /** Status that the user chose for all of their devices. */
  readonly chosenStatus: ChosenStatus
  /** Time at which the chosen status ends; null for no end. */
  readonly chosenUntil: string | null
  readonly me: CurrentUser | null
  readonly users: Readonly<Record<string, User>>
  readonly spaces: Readonly<Record<string, SpaceEntry>>
  /** Spaces whose moderators have not let the user in yet. */
  readonly waitingSpaces: Readonly<Record<string, WaitingSpace>>
  /** Key: a space. Loaded doors, kept up to date for members who may open them. */
  readonly doors: Readonly<Record<string, Door>>
  readonly rooms: Readonly<Record<string, Room>>
  /** Threads that the user follows or has opened. Others are not known. */
  readonly threads: Readonly<Record<string, ThreadEntry>>
  readonly conversations: Readonly<Record<string, Conversation>>
  /** Key: a channel, like `timelines` and later fields. A channel without a read state has nothing unread. */
  readonly readStates: Readonly<Record<string, ReadEntry>>
  /** Key: a space, room, category or conversation. Expired mutes are removed. */
  readonly notificationSettings: Readonly<Record<string, NotificationSetting>>
  /** Loaded members by space, kept up to date. */
  readonly members: Readonly<Record<string, KnownMembers>>
  /** Presences of the visible part of the member list by user id, including offline. */
  readonly glimpses: Readonly<Record<string, Presence>>
  /** Key: the friend's user id. */
  readonly friends: Readonly<Record<string, Friend>>
  /** Received and sent, by request id. */
  readonly friendRequests: Readonly<Record<string, FriendRequest>>
  /** Key: the blocked user's id. */
  readonly blocks: Readonly<Record<string, Block>>
  /** Key: a user id. Offline users are omitted. */
  readonly presences: Readonly<Record<string, Presence>>
  readonly timelines: Readonly<Record<string, Timeline>>
  /** Messages that were removed from a channel, see `tombstoneOf`. */
  readonly tombstones: readonly string[]
  readonly outbox: Readonly<Record<string, readonly OutgoingMessage[]>>
  /** Key: a channel. Time from which the server accepts messages again, in milliseconds of server time. */
  readonly pauses: Readonly<Record<string, number>>
  /** Time until which a rate-limited request waits, in milliseconds of server time. */
  readonly slowedUntil: number
  readonly drafts: Readonly<Record<string, Draft>>
  /** Space ids in the order chosen on this device. Other spaces follow. */
  readonly spaceOrder: readonly string[]
  readonly typing: Readonly<Record<string, Readonly<Record<string, TypingIndicator>>>>
  /** Voice states by channel id. */
  readonly voices: Readonly<Record<string, readonly VoiceState[]>>
  /** Key: a voice room. True while its chat is open. */
  readonly openChats: Readonly<Record<string, boolean>>
  /** Ongoing calls by conversation id. */
  readonly calls: Readonly<Record<string, Call>>
  /** Kind of the user's request that was decided last, until they close the note about it. */
  readonly decision: 'report' | 'appeal' | null
}

export const initialState: State = {
  signedIn: false,
  connection: 'idle',
  chosenStatus: 'online',
  chosenUntil: null,
  me: null,
  users: {},
  spaces: {},
  waitingSpaces: {},
  doors: {},
  rooms: {},
  threads: {},
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
  decision: null,
}

/** Returns the record without a key, or the same record if it has no such key. */
export function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  if (!(key in record)) return record
  const { [key]: _, ...rest } = record
  return rest
}
