import { type Static, Type } from 'typebox'
import { Announcements } from './announcements.ts'
import { AuditLogEntry } from './audit-log.ts'
import { Ban } from './bans.ts'
import { StorageBucket } from './buckets.ts'
import { ChannelPlace } from './channels.ts'
import { Conversation } from './conversations.ts'
import { Door, WaitingSpace } from './door.ts'
import { SpaceEmoji } from './emojis.ts'
import { Block, Friend, FriendRequest } from './friends.ts'
import { Interaction, InteractionUpdate } from './interactions.ts'
import { InviteCode } from './invites.ts'
import { Member, MemberListUpdate, MembersChunk, MemberWithUser } from './members.ts'
import { DeletedMessage, Message, ReadState } from './messages.ts'
import { NotificationSetting, NotificationSettingUpdate } from './notifications.ts'
import { Presence, UserStatus } from './presence.ts'
import { ReactionChange, ReactionClear } from './reactions.ts'
import { Appeal, OwnReport } from './reports.ts'
import { Role, RoomOverwrite } from './roles.ts'
import { Room } from './rooms.ts'
import { Timestamp, Uuid } from './schema.ts'
import { Space, SpaceState } from './spaces.ts'
import { SpaceSticker } from './stickers.ts'
import { Thread, ThreadFollowUpdate } from './thread-rooms.ts'
import { CurrentUser, User } from './users.ts'
import { Call, IceServer, VoiceSpeaking, VoiceState } from './voice.ts'

/** All the data that a client needs to render. */
export const Ready = Type.Object({
  user: CurrentUser,
  ...UserStatus.properties,
  spaces: Type.Array(SpaceState),
  waiting_spaces: Type.Array(WaitingSpace, {
    description: 'spaces whose moderators have not let the user in yet',
  }),
  conversations: Type.Array(Conversation),
  friends: Type.Array(Friend),
  friend_requests: Type.Array(FriendRequest, { description: 'received and sent' }),
  blocks: Type.Array(Block),
  read_states: Type.Array(ReadState),
  notification_settings: Type.Array(NotificationSetting),
  presences: Type.Array(Presence, {
    description: "the user's own, and those of friends and conversation members who are not offline",
  }),
  voice_states: Type.Array(VoiceState, {
    description: 'in conversations; `spaces` has the ones in spaces',
  }),
  calls: Type.Array(Call, { description: 'ongoing calls of these conversations' }),
  ice_servers: Type.Array(IceServer),
  session_id: Uuid(),
  /** Server time of sending. Clients need it, because their own clocks may be wrong. */
  server_time: Timestamp(),
  followed_thread_count_unread: Type.Optional(
    Type.Integer({
      description: 'followed threads with unread messages; only with the capability `threads`',
    }),
  ),
  server: Type.Object({ version: Type.String(), limits: Type.Record(Type.String(), Type.Integer()) }),
})
export type Ready = Static<typeof Ready>

/** A message that is new in its channel. `is_moved`, a field of this event only, says that it was moved there. */
export const NewMessage = Type.Object(
  {
    ...Message.properties,
    is_moved: Type.Optional(
      Type.Boolean({
        description:
          'true if it was moved or merged into this thread: it notifies nobody and acknowledges nothing',
      }),
    ),
  },
  { title: 'NewMessage' },
)
export type NewMessage = Static<typeof NewMessage>

/** A user is typing, or recording, in a channel. */
export const TypingIndicator = Type.Object({ ...ChannelPlace, user_id: Uuid() })
export type TypingIndicator = Static<typeof TypingIndicator>

/**
 * Names and data of all events. When members come and go, `member_count` is the new total, so that a client
 * that receives an event twice still counts correctly. Fields that are not declared here never leave the server.
 */
export const eventSchemas = {
  READY: Ready,
  RESUMED: Type.Object({
    replayed: Type.Integer(),
    presences: Type.Array(Presence, { description: 'replace all presences received before' }),
  }),
  USER_UPDATE: User,
  PRESENCE_UPDATE: Presence,
  STATUS_UPDATE: UserStatus,
  FRIEND_REQUEST_CREATE: FriendRequest,
  FRIEND_REQUEST_DELETE: Type.Object({ id: Uuid() }),
  FRIEND_CREATE: Friend,
  FRIEND_DELETE: Type.Object({ user_id: Uuid() }),
  BLOCK_CREATE: Block,
  BLOCK_DELETE: Type.Object({ user_id: Uuid() }),
  SPACE_CREATE: SpaceState,
  SPACE_UPDATE: Space,
  SPACE_DELETE: Type.Object({ space_id: Uuid() }),
  SPACE_MEMBER_CREATE: Type.Object({ ...MemberWithUser.properties, member_count: Type.Integer() }),
  SPACE_MEMBER_UPDATE: Member,
  SPACE_MEMBER_DELETE: Type.Object({ space_id: Uuid(), user_id: Uuid(), member_count: Type.Integer() }),
  SPACE_MEMBERS_CHUNK: MembersChunk,
  SPACE_MEMBER_LIST_UPDATE: MemberListUpdate,
  SPACE_ROLE_CREATE: Role,
  SPACE_ROLE_UPDATE: Role,
  SPACE_ROLE_DELETE: Type.Object({ space_id: Uuid(), role_id: Uuid() }),
  SPACE_EMOJI_CREATE: SpaceEmoji,
  SPACE_EMOJI_UPDATE: SpaceEmoji,
  SPACE_EMOJI_DELETE: Type.Object({ space_id: Uuid(), emoji_id: Uuid() }),
  SPACE_STICKER_CREATE: SpaceSticker,
  SPACE_STICKER_UPDATE: SpaceSticker,
  SPACE_STICKER_DELETE: Type.Object({ space_id: Uuid(), sticker_id: Uuid() }),
  SPACE_BUCKET_CREATE: StorageBucket,
  SPACE_BUCKET_UPDATE: StorageBucket,
  SPACE_BUCKET_DELETE: Type.Object({ space_id: Uuid(), bucket_id: Uuid() }),
  AUDIT_LOG_ENTRY_CREATE: AuditLogEntry,
  AUTOMOD_RULES_UPDATE: Type.Object({ space_id: Uuid() }),
  HELD_MESSAGES_UPDATE: Type.Object({ space_id: Uuid() }),
  /** The reports for a space's moderators, or for operators, have changed. */
  REPORTS_UPDATE: Type.Object({ space_id: Uuid() }),
  SERVER_REPORTS_UPDATE: Type.Object({}),
  /** All announcements that have begun and not ended. Sent to people, not to bots. */
  ANNOUNCEMENTS_UPDATE: Announcements,
  /** Sent to the reporter once the report is decided. */
  REPORT_UPDATE: OwnReport,
  APPEALS_UPDATE: Type.Object({ space_id: Uuid() }),
  /** Sent to the author of an appeal once it is decided. */
  APPEAL_UPDATE: Appeal,
  SPACE_DOOR_UPDATE: Door,
  WAITING_SPACE_CREATE: WaitingSpace,
  WAITING_SPACE_DELETE: Type.Object({ space_id: Uuid() }),
  SPACE_BAN_CREATE: Ban,
  SPACE_BAN_DELETE: Type.Object({ space_id: Uuid(), user_id: Uuid() }),
  SPACE_INVITE_CREATE: InviteCode,
  SPACE_INVITE_DELETE: Type.Object({ space_id: Uuid(), invite_id: Uuid(), code: Type.String() }),
  SPACE_WEBHOOKS_UPDATE: Type.Object({ space_id: Uuid(), room_id: Uuid() }),
  ROOM_CREATE: Room,
  ROOM_UPDATE: Room,
  ROOM_DELETE: Type.Object({ space_id: Uuid(), room_id: Uuid() }),
  ROOM_OVERWRITE_UPDATE: Type.Object({ space_id: Uuid(), ...RoomOverwrite.properties }),
  ROOM_OVERWRITE_DELETE: Type.Object({ space_id: Uuid(), room_id: Uuid(), target_id: Uuid() }),
  ROOM_PINS_UPDATE: Type.Object({ ...ChannelPlace, pin_count: Type.Integer() }),
  /**
   * The next four events are sent only to connections with the capability `threads`, like all events of messages in threads.
   */
  THREAD_CREATE: Thread,
  THREAD_UPDATE: Thread,
  THREAD_DELETE: Type.Object({
    id: Uuid(),
    room_id: Uuid(),
    space_id: Uuid(),
    merged_into: Type.Optional(Uuid('the thread that has its messages from then on')),
  }),
  THREAD_FOLLOW_UPDATE: ThreadFollowUpdate,
  CONVERSATION_CREATE: Conversation,
  CONVERSATION_UPDATE: Conversation,
  CONVERSATION_DELETE: Type.Object({ conversation_id: Uuid() }),
  CONVERSATION_MEMBER_ADD: Type.Object({ conversation_id: Uuid(), user: User }),
  CONVERSATION_MEMBER_REMOVE: Type.Object({ conversation_id: Uuid(), user_id: Uuid() }),
  MESSAGE_CREATE: NewMessage,
  MESSAGE_UPDATE: Message,
  MESSAGE_DELETE: Type.Object({ ...DeletedMessage.properties, ...ChannelPlace }),
  MESSAGE_DELETE_BULK: Type.Object({
    ids: Type.Array(Uuid()),
    messages: Type.Array(DeletedMessage),
    ...ChannelPlace,
  }),
  MESSAGE_REACTION_ADD: ReactionChange,
  MESSAGE_REACTION_REMOVE: ReactionChange,
  MESSAGE_REACTION_CLEAR: ReactionClear,
  MESSAGE_ACK: ReadState,
  NOTIFICATION_SETTING_UPDATE: NotificationSettingUpdate,
  TYPING_START: TypingIndicator,
  RECORDING_START: TypingIndicator,
  VOICE_STATE_UPDATE: VoiceState,
  VOICE_SPEAKING: VoiceSpeaking,
  CALL_CREATE: Call,
  CALL_UPDATE: Call,
  CALL_DELETE: Type.Object({ conversation_id: Uuid() }),
  APPLICATION_COMMANDS_UPDATE: Type.Object({ application_id: Uuid() }),
  INTERACTION_CREATE: Interaction,
  INTERACTION_UPDATE: InteractionUpdate,
} as const

/** Schemas of events for the user they concern, and for no one else. */
export const ownEventSchemas = { USER_UPDATE: CurrentUser } as const

export type Events = { [Name in keyof typeof eventSchemas]: Static<(typeof eventSchemas)[Name]> }
export type EventName = keyof Events
