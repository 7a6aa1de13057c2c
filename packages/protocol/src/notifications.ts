import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'
import { Nullable, Timestamp, Uuid } from './schema.ts'

export const notificationScopes = ['space', 'room', 'conversation'] as const
export type NotificationScope = (typeof notificationScopes)[number]

/** The messages that notify a user: all, mentions, or none. */
export const notificationLevels = ['all', 'mentions', 'none'] as const
export type NotificationLevel = (typeof notificationLevels)[number]

/** Default levels. Spaces are busy, so only mentions notify there; messages of a conversation are meant for its members. */
export const DEFAULT_SPACE_LEVEL: NotificationLevel = 'mentions'
export const DEFAULT_CONVERSATION_LEVEL: NotificationLevel = 'all'

/** End of a mute without a time limit. */
export const MUTED_FOR_EVER = '9999-12-31T23:59:59.999Z'

/** Maximum browsers of one user that receive pushes. A further browser replaces the oldest. */
export const MAX_PUSH_SUBSCRIPTIONS = 20

const Level = () =>
  Nullable(
    Type.Unsafe<NotificationLevel>({
      type: 'string',
      enum: [...notificationLevels, null],
      description:
        'null inherits from the category or the space; the default is `mentions` for a space, `all` for a conversation',
    }),
  )

/** A user's setting for a space, a room or category, or a conversation. If `level` and `muted_until` are null, there is none. */
export const NotificationSetting = Type.Object(
  {
    scope: Type.Unsafe<NotificationScope>({ type: 'string', enum: notificationScopes }),
    id: Uuid('id of the space, room, category or conversation'),
    level: Level(),
    muted_until: Nullable(Timestamp()),
  },
  { title: 'NotificationSetting' },
)
export type NotificationSetting = Static<typeof NotificationSetting>

/** Sent to the user's own connections. */
export const NotificationSettingUpdate = Type.Object(
  {
    ...NotificationSetting.properties,
    of_forum: Type.Optional(Type.Boolean({ description: 'true for a forum; otherwise omitted' })),
  },
  { title: 'NotificationSettingUpdate' },
)
export type NotificationSettingUpdate = Static<typeof NotificationSettingUpdate>

export const ListNotificationSettingsQuery = Type.Object({
  forums: Type.Optional(Type.Boolean({ description: 'true lists those of forums, too' })),
})
export type ListNotificationSettingsQuery = Static<typeof ListNotificationSettingsQuery>

export const UpdateNotificationSettingBody = Type.Object({
  level: Type.Optional(Level()),
  muted_until: Type.Optional(Nullable(Timestamp())),
})
export type UpdateNotificationSettingBody = Static<typeof UpdateNotificationSettingBody>

export const NotificationSettingParams = Type.Object({
  scope: Type.Unsafe<NotificationScope>({ type: 'string', enum: notificationScopes }),
  id: Uuid(),
})

/** The public key of the server's pushes: `applicationServerKey` of the browser's PushManager. */
export const PushKey = Type.Object(
  { public_key: Type.String({ description: 'an uncompressed point of P-256, in base64url' }) },
  { title: 'PushKey' },
)
export type PushKey = Static<typeof PushKey>

/** The result of the browser's PushSubscription.toJSON(). */
export const CreatePushSubscriptionBody = Type.Object({
  endpoint: Type.String({ maxLength: limits.urlMax }),
  keys: Type.Object({
    p256dh: Type.String({ maxLength: 128, description: 'an uncompressed point of P-256, in base64url' }),
    auth: Type.String({ maxLength: 64, description: '16 bytes in base64url' }),
  }),
})
export type CreatePushSubscriptionBody = Static<typeof CreatePushSubscriptionBody>

export const DeletePushSubscriptionBody = Type.Object({ endpoint: Type.String({ maxLength: limits.urlMax }) })
export type DeletePushSubscriptionBody = Static<typeof DeletePushSubscriptionBody>

/** The reason for a notification. */
export type PushKind = 'direct' | 'group' | 'mention' | 'room' | 'call' | 'raid' | 'test'

/**
 * The content of a push, encrypted for one browser, up to 3000 bytes of JSON. `title` and `body` are plain text in
 * English; a client can compose another text from the fields below.
 */
export interface PushPayload {
  /**
   * raid: the sensor of a space has closed its door. Sent to members with KickMembers. test: an operator tests their own
   * devices.
   */
  type: 'message' | 'call' | 'raid' | 'test'
  /** Only for a message. */
  message_id?: string
  room_id?: string
  /** For a message in a thread, whose id is in `room_id`: the id of the thread's room. */
  parent_room_id?: string
  conversation_id?: string
  space_id?: string
  title: string
  body: string
  /** A path of the web client. */
  url: string
  /** Notifications with the same tag replace each other. */
  tag: string
  kind: PushKind
  /** The author or caller, with their name in that channel. Omitted for a raid and a test. */
  author_id?: string
  author_name?: string
  author_avatar?: string | null
  /** Only for a message in a room. */
  room_name?: string
  thread_title?: string
  space_name?: string
  /** Only for a group with a name. */
  conversation_name?: string
  /** The message without markup, spoilers hidden; empty if it has only files, stickers or embeds. */
  text: string
  attachment_count: number
}

type Setting = Pick<NotificationSetting, 'level' | 'muted_until'> | undefined

/**
 * Returns the notification level of a user, by their settings.
 * @param chain the settings that apply to a channel, the most specific first: the room's, its category's, the space's,
 * or only the conversation's
 * @param fallback DEFAULT_SPACE_LEVEL or DEFAULT_CONVERSATION_LEVEL
 * @param now milliseconds since 1970
 */
export function notificationLevelOf(
  chain: readonly Setting[],
  fallback: NotificationLevel,
  now: number,
): NotificationLevel {
  if (chain.some((setting) => isMuted(setting, now))) return 'none'
  return chain.find((setting) => setting?.level != null)?.level ?? fallback
}

/** Returns whether the setting mutes at this time, in milliseconds since 1970. */
export function isMuted(setting: Setting, now: number): boolean {
  return setting?.muted_until != null && Date.parse(setting.muted_until) > now
}
