import { Capability } from './capabilities.ts'
import type { EventName } from './events.ts'
import { has, Permission, type RightFlags } from './permissions.ts'

/**
 * Kind of a topic. Subscribers are, in the order of the values: a user's own connections, members of a space, viewers of a room,
 * viewers of a thread's room on connections that asked for threads, members of a conversation, and all people.
 */
export type EventTopic = 'user' | 'space' | 'room' | 'thread' | 'conversation' | 'everybody'

/** The recipients of an event. */
export interface EventDelivery {
  /**
   * Kinds of topics that the event may be published to. An event of a channel is published only to the topic of
   * its room, thread or conversation. An event without topics is sent to a single connection.
   */
  readonly topics: readonly EventTopic[]
  /**
   * The permission that a subscriber of a space's topic needs in the space: 0 for none, bits of `Permission`, or negative for
   * bits of `Capability`. Other topics ignore the audience: events of a room or thread go to all viewers of the room.
   */
  readonly audience: number
  /** False for an event that a RESUME does not replay. */
  readonly isJournaled: boolean
}

const DIRECT = { topics: [], audience: 0, isJournaled: false } as const
const USER = { topics: ['user'], audience: 0, isJournaled: true } as const
const SPACE = { topics: ['space'], audience: 0, isJournaled: true } as const
const ROOM = { topics: ['room'], audience: 0, isJournaled: true } as const
/** Viewers of the thread's room, on connections with the capability `threads`. */
const THREAD = { topics: ['thread'], audience: 0, isJournaled: true } as const
const CONVERSATION = { topics: ['conversation'], audience: 0, isJournaled: true } as const
const CHANNEL = { topics: ['room', 'thread', 'conversation'], audience: 0, isJournaled: true } as const
/** Sent to the connections of all people, but not to bots. */
const EVERYBODY = { topics: ['everybody'], audience: 0, isJournaled: true } as const
/** Sent to the user when they leave, and to all members when the space is deleted. */
const USER_OR_SPACE = { topics: ['user', 'space'], audience: 0, isJournaled: true } as const

/** The delivery of every event. Publishers take the audience from here. */
export const eventDelivery = {
  READY: DIRECT,
  RESUMED: DIRECT,
  PRESENCE_UPDATE: DIRECT,
  SPACE_MEMBERS_CHUNK: DIRECT,
  SPACE_MEMBER_LIST_UPDATE: DIRECT,
  USER_UPDATE: { topics: ['user', 'space', 'conversation'], audience: 0, isJournaled: true },
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
  SPACE_BUCKET_CREATE: { ...SPACE, audience: Permission.ManageSpaceBuckets },
  SPACE_BUCKET_UPDATE: { ...SPACE, audience: Permission.ManageSpaceBuckets },
  SPACE_BUCKET_DELETE: { ...SPACE, audience: Permission.ManageSpaceBuckets },
  AUDIT_LOG_ENTRY_CREATE: { ...SPACE, audience: -Capability.ViewAuditLog },
  AUTOMOD_RULES_UPDATE: { ...SPACE, audience: -Capability.ManageAutomod },
  HELD_MESSAGES_UPDATE: { ...SPACE, audience: -Capability.ManageAutomod },
  SPACE_DOOR_UPDATE: { ...SPACE, audience: -Capability.KickMembers },
  REPORTS_UPDATE: { ...SPACE, audience: -Capability.ManageReports },
  SERVER_REPORTS_UPDATE: USER,
  ANNOUNCEMENTS_UPDATE: EVERYBODY,
  REPORT_UPDATE: USER,
  APPEALS_UPDATE: { ...SPACE, audience: -Capability.BanMembers },
  APPEAL_UPDATE: USER,
  WAITING_SPACE_CREATE: USER,
  WAITING_SPACE_DELETE: USER,
  SPACE_BAN_CREATE: { ...SPACE, audience: -Capability.BanMembers },
  SPACE_BAN_DELETE: { ...SPACE, audience: -Capability.BanMembers },
  SPACE_INVITE_CREATE: { ...SPACE, audience: Permission.ManageInvites },
  SPACE_INVITE_DELETE: { ...SPACE, audience: Permission.ManageInvites },
  SPACE_WEBHOOKS_UPDATE: { ...SPACE, audience: Permission.ManageSpaceWebhooks },
  ROOM_CREATE: ROOM,
  ROOM_UPDATE: ROOM,
  ROOM_DELETE: ROOM,
  ROOM_OVERWRITE_UPDATE: ROOM,
  ROOM_OVERWRITE_DELETE: ROOM,
  ROOM_PINS_UPDATE: CHANNEL,
  THREAD_CREATE: THREAD,
  THREAD_UPDATE: THREAD,
  THREAD_DELETE: THREAD,
  THREAD_FOLLOW_UPDATE: USER,
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
  // The gateway leaves out connections that have turned these indicators off (`withoutQuiet` in gateway/listeners).
  TYPING_START: { ...CHANNEL, isJournaled: false },
  RECORDING_START: { ...CHANNEL, isJournaled: false },
  VOICE_STATE_UPDATE: { topics: ['user', 'room', 'conversation'], audience: 0, isJournaled: true },
  VOICE_SPEAKING: { ...USER, isJournaled: false },
  CALL_CREATE: { topics: ['user', 'conversation'], audience: 0, isJournaled: true },
  CALL_UPDATE: CONVERSATION,
  CALL_DELETE: CONVERSATION,
  APPLICATION_COMMANDS_UPDATE: {
    topics: ['user', 'space', 'conversation'],
    audience: 0,
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

/** Returns whether a subscriber with these rights in the space is in an event's audience. */
export function isInAudience({ permissions, capabilities }: RightFlags, audience: number): boolean {
  return audience < 0 ? has(capabilities, -audience) : has(permissions, audience)
}
