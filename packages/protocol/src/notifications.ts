import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'
import { Nullable, Timestamp, Uuid } from './schema.ts'

export const notificationScopes = ['space', 'room', 'conversation'] as const
export type NotificationScope = (typeof notificationScopes)[number]

/** Of which messages one is told: of all, of those that name one, of none. */
export const notificationLevels = ['all', 'mentions', 'none'] as const
export type NotificationLevel = (typeof notificationLevels)[number]

/** What holds where nobody chose: a space is busy, and what is said in a conversation is said to one. */
export const DEFAULT_SPACE_LEVEL: NotificationLevel = 'mentions'
export const DEFAULT_CONVERSATION_LEVEL: NotificationLevel = 'all'

/** Until it is unmuted. */
export const MUTED_FOR_EVER = '9999-12-31T23:59:59.999Z'

/** Browsers of one person that push is sent to; of more, those that came first are forgotten. */
export const MAX_PUSH_SUBSCRIPTIONS = 20

const Level = () =>
  Nullable(
    Type.Unsafe<NotificationLevel>({
      type: 'string',
      enum: [...notificationLevels, null],
      description:
        'null is as what is above it: a room its category, that the space, that `mentions`; a conversation `all`',
    }),
  )

/** What somebody chose for a space, a room or category, or a conversation. Where both are null there is no setting. */
export const NotificationSetting = Type.Object(
  {
    scope: Type.Unsafe<NotificationScope>({ type: 'string', enum: notificationScopes }),
    id: Uuid('of the space, the room or category, or the conversation'),
    level: Level(),
    muted_until: Nullable(Timestamp()),
  },
  { title: 'NotificationSetting' },
)
export type NotificationSetting = Static<typeof NotificationSetting>

export const UpdateNotificationSettingBody = Type.Object({
  level: Type.Optional(Level()),
  muted_until: Type.Optional(Nullable(Timestamp())),
})
export type UpdateNotificationSettingBody = Static<typeof UpdateNotificationSettingBody>

export const NotificationSettingParams = Type.Object({
  scope: Type.Unsafe<NotificationScope>({ type: 'string', enum: notificationScopes }),
  id: Uuid(),
})

/** With what browsers know the server's pushes: `applicationServerKey` of their PushManager. */
export const PushKey = Type.Object(
  { public_key: Type.String({ description: 'an uncompressed point of P-256, in base64url' }) },
  { title: 'PushKey' },
)
export type PushKey = Static<typeof PushKey>

/** As the browser's PushSubscription says it in `toJSON()`. */
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

/** Why somebody is told. */
export type PushKind = 'direct' | 'group' | 'mention' | 'room' | 'call'

/**
 * What a push says, encrypted for one browser, up to 3000 bytes of JSON. `title` and `body` are plain text, in English; who wants other words makes
 * them of the fields below.
 */
export interface PushPayload {
  type: 'message' | 'call'
  /** Of a message. */
  message_id?: string
  room_id?: string
  conversation_id?: string
  space_id?: string
  title: string
  body: string
  /** A path of the web client. */
  url: string
  /** The same for what one notification is to replace. */
  tag: string
  kind: PushKind
  /** Who said it, or calls, as they are called there. */
  author_id: string
  author_name: string
  author_avatar: string | null
  /** Of a room. */
  room_name?: string
  space_name?: string
  /** Of a group that has a name. */
  conversation_name?: string
  /** What was said, without markup, spoilers hidden; empty where there are files, stickers or embeds alone. */
  text: string
  attachment_count: number
}

type Setting = Pick<NotificationSetting, 'level' | 'muted_until'> | undefined

/**
 * What somebody is told, by what they chose.
 * @param chain the settings that bear on a place, the nearest first: the room's, its category's, the space's, or the
 *   conversation's alone
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

/** Whether the setting mutes at this time, in milliseconds since 1970. */
export function isMuted(setting: Setting, now: number): boolean {
  return setting?.muted_until != null && Date.parse(setting.muted_until) > now
}
