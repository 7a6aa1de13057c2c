import type { EventName } from './events.ts'
import { Permission } from './permissions.ts'

/** Subscribers of a topic: a user's own connections, members of a space, viewers of a room, members of a conversation. */
export type EventTopic = 'user' | 'space' | 'room' | 'conversation'

/** The recipients of an event. */
export interface EventDelivery {
  /** Kinds of topics it is published to. An event without topics is sent to a single connection. */
  readonly topics: readonly EventTopic[]
  /** Permission that a subscriber needs in the space, besides the subscription; 0 for none. */
  readonly permission: number
  /** False for an event that a RESUME does not replay. */
  readonly isJournaled: boolean
}

const DIRECT = { topics: [], permission: 0, isJournaled: false } as const
const USER = { topics: ['user'], permission: 0, isJournaled: true } as const
const SPACE = { topics: ['space'], permission: 0, isJournaled: true } as const
const ROOM = { topics: ['room'], permission: 0, isJournaled: true } as const
const CONVERSATION = { topics: ['conversation'], permission: 0, isJournaled: true } as const
const CHANNEL = { topics: ['room', 'conversation'], permission: 0, isJournaled: true } as const
/** Goes to the user when they leave, and to all members when the space is deleted. */
const USER_OR_SPACE = { topics: ['user', 'space'], permission: 0, isJournaled: true } as const

/** The delivery of every event. Publishers take the permission from here. */
export const eventDelivery = {
  READY: DIRECT,
  RESUMED: DIRECT,
  PRESENCE_UPDATE: DIRECT,
  SPACE_MEMBERS_CHUNK: DIRECT,
  SPACE_MEMBER_LIST_UPDATE: DIRECT,
  USER_UPDATE: { topics: ['user', 'space', 'conversation'], permission: 0, isJournaled: true },
  STATUS_UPDATE: USER,
  FRIEND_REQUEST_CREATE: USER,
  FRIEND_REQUEST_DELETE: USER,
  FRIEND_CREATE: USER,
  FRIEND_DELETE: USER,
  BLOCK_CREATE: USER,
  BLOCK_DELETE: USER,
  SPACE_CREATE: USER,
  SPACE_UPDATE: SPACE,
  SPACE_DELETE: USER_OR_SPACE,
  SPACE_MEMBER_CREATE: SPACE,
  SPACE_MEMBER_UPDATE: SPACE,
  SPACE_MEMBER_DELETE: SPACE,
  SPACE_ROLE_CREATE: SPACE,
  SPACE_ROLE_UPDATE: SPACE,
  SPACE_ROLE_DELETE: SPACE,
  SPACE_EMOJI_CREATE: SPACE,
  SPACE_EMOJI_UPDATE: SPACE,
  SPACE_EMOJI_DELETE: SPACE,
  SPACE_STICKER_CREATE: SPACE,
  SPACE_STICKER_UPDATE: SPACE,
  SPACE_STICKER_DELETE: SPACE,
  SPACE_BUCKET_CREATE: { ...SPACE, permission: Permission.ManageSpaceBuckets },
  SPACE_BUCKET_UPDATE: { ...SPACE, permission: Permission.ManageSpaceBuckets },
  SPACE_BUCKET_DELETE: { ...SPACE, permission: Permission.ManageSpaceBuckets },
  SPACE_BAN_CREATE: { ...SPACE, permission: Permission.Administrator },
  SPACE_BAN_DELETE: { ...SPACE, permission: Permission.Administrator },
  SPACE_INVITE_CREATE: { ...SPACE, permission: Permission.ManageInvites },
  SPACE_INVITE_DELETE: { ...SPACE, permission: Permission.ManageInvites },
  SPACE_WEBHOOKS_UPDATE: { ...SPACE, permission: Permission.ManageSpaceWebhooks },
  ROOM_CREATE: ROOM,
  ROOM_UPDATE: ROOM,
  ROOM_DELETE: ROOM,
  ROOM_OVERWRITE_UPDATE: ROOM,
  ROOM_OVERWRITE_DELETE: ROOM,
  ROOM_PINS_UPDATE: CHANNEL,
  CONVERSATION_CREATE: USER,
  CONVERSATION_UPDATE: CONVERSATION,
  CONVERSATION_DELETE: USER,
  CONVERSATION_MEMBER_ADD: CONVERSATION,
  CONVERSATION_MEMBER_REMOVE: CONVERSATION,
  MESSAGE_CREATE: CHANNEL,
  MESSAGE_UPDATE: CHANNEL,
  MESSAGE_DELETE: CHANNEL,
  MESSAGE_DELETE_BULK: CHANNEL,
  MESSAGE_REACTION_ADD: CHANNEL,
  MESSAGE_REACTION_REMOVE: CHANNEL,
  MESSAGE_REACTION_CLEAR: CHANNEL,
  MESSAGE_ACK: USER,
  NOTIFICATION_SETTING_UPDATE: USER,
  TYPING_START: { ...CHANNEL, isJournaled: false },
  RECORDING_START: { ...CHANNEL, isJournaled: false },
  VOICE_STATE_UPDATE: { topics: ['user', 'room', 'conversation'], permission: 0, isJournaled: true },
  VOICE_SPEAKING: { ...USER, isJournaled: false },
  CALL_CREATE: { topics: ['user', 'conversation'], permission: 0, isJournaled: true },
  CALL_UPDATE: CONVERSATION,
  CALL_DELETE: CONVERSATION,
  APPLICATION_COMMANDS_UPDATE: {
    topics: ['user', 'space', 'conversation'],
    permission: 0,
    isJournaled: true,
  },
  INTERACTION_CREATE: USER,
  INTERACTION_UPDATE: USER,
} as const satisfies Record<EventName, EventDelivery>

/** Names of events that a RESUME repeats. */
export type JournaledName = NameOf<{ isJournaled: true }>
/** Names of published events that are lost with a broken connection. */
export type TransientName = Exclude<NameOf<{ isJournaled: false }>, NameOf<{ topics: readonly [] }>>

type NameOf<Delivery> = {
  [Name in EventName]: (typeof eventDelivery)[Name] extends Delivery ? Name : never
}[EventName]

/** Kinds of topics that an event of this name is published to. */
export type TopicKindOf<Name extends EventName> = (typeof eventDelivery)[Name]['topics'][number]
