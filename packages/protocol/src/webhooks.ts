import { type Static, Type } from 'typebox'
import { DescribedFile } from './attachments.ts'
import { CreateEmbed } from './embeds.ts'
import { FollowedRoom } from './follows.ts'
import {
  limits,
  MAX_EMBEDS,
  MAX_IMAGE_BYTES,
  MAX_THREAD_TITLE_CHARACTERS,
  MAX_WEBHOOK_SECRET,
} from './limits.ts'
import { AllowedMentions } from './messages.ts'
import { KeptImage, Nullable, RemovedImage, Text, Timestamp, Uuid } from './schema.ts'

/**
 * `token` and `url` are present for members with ManageSpaceWebhooks and SendMessages in the room, because they allow
 * posting. A follow has `source` instead of them.
 */
export const Webhook = Type.Object(
  {
    id: Uuid(),
    space_id: Uuid(),
    room_id: Uuid(),
    name: Type.String(),
    avatar: Nullable(Uuid('avatar attachment')),
    creator_id: Uuid(),
    url: Nullable(Type.String({ description: 'address to post to' })),
    token: Nullable(Type.String()),
    has_secret: Type.Boolean({ description: 'whether /github only accepts signed deliveries' }),
    created_at: Timestamp(),
    source: Type.Optional(Nullable(FollowedRoom)),
  },
  { title: 'Webhook' },
)
export type Webhook = Static<typeof Webhook>

/** A webhook, for callers with only its token. */
export const TokenWebhook = Type.Object(
  {
    id: Uuid(),
    space_id: Uuid(),
    room_id: Uuid(),
    name: Type.String(),
    avatar: Nullable(Uuid('avatar attachment')),
    url: Type.String({ description: 'address to post to' }),
    token: Type.String(),
    created_at: Timestamp(),
  },
  { title: 'TokenWebhook' },
)
export type TokenWebhook = Static<typeof TokenWebhook>

/** Maximum characters of an image as a data URL: the prefix, and the largest image in base64. */
const MAX_DATA_ADDRESS = Math.ceil(MAX_IMAGE_BYTES / 3) * 4 + 128

export const UpdateTokenWebhookBody = Type.Object({
  name: Type.Optional(Text(1, limits.nameMax)),
  avatar: Type.Optional(
    Nullable(
      Type.String({
        maxLength: MAX_DATA_ADDRESS,
        description: 'an image as `data:image/png;base64,…`; null removes the avatar',
      }),
    ),
  ),
})
export type UpdateTokenWebhookBody = Static<typeof UpdateTokenWebhookBody>

const Secret = Type.String({
  minLength: 1,
  maxLength: MAX_WEBHOOK_SECRET,
  description: 'signs the deliveries to /github by X-Hub-Signature-256; never shown',
})

export const CreateWebhookBody = Type.Object({
  name: Text(1, limits.nameMax),
  secret: Type.Optional(Nullable(Secret)),
})
export type CreateWebhookBody = Static<typeof CreateWebhookBody>

export const UpdateWebhookBody = Type.Object({
  name: Type.Optional(Text(1, limits.nameMax)),
  room_id: Type.Optional(Uuid('another text room of the space')),
  avatar: KeptImage(),
  secret: Type.Optional(Nullable(Secret)),
})
export type UpdateWebhookBody = Static<typeof UpdateWebhookBody>

/** The text fields of the multipart body. Its file is `avatar`. */
export const UpdateWebhookForm = Type.Object({
  name: Type.Optional(Text(1, limits.nameMax)),
  remove_avatar: RemovedImage(),
})

/** Components other than link buttons are dropped, because a webhook could not answer them. */
const LinkButtons = () =>
  Type.Optional(
    Type.Unknown({
      description:
        'rows of buttons that open a `url`, in the format of Foyer or Discord; other components are ignored',
    }),
  )

const ThreadName = () =>
  Type.Optional(
    Nullable({
      ...Text(0, MAX_THREAD_TITLE_CHARACTERS),
      description: 'in a forum: the title of a new post; ignored elsewhere',
    }),
  )

const AppliedTags = () =>
  Type.Optional(
    Type.Unknown({ description: 'a list of ids: in a forum, up to 5 tags of a new post; ignored elsewhere' }),
  )

/** The body sent by integrations made for Discord. Other fields are ignored. */
export const ExecuteWebhookBody = Type.Object({
  content: Type.Optional(Nullable(Text(0, limits.messageMax))),
  username: Type.Optional(
    Nullable({
      ...Text(0, limits.nameMax),
      description:
        "replaces the webhook's name unless it is empty. A member's name is marked with `(webhook)`",
    }),
  ),
  avatar_url: Type.Optional(
    Nullable(
      Type.String({
        maxLength: limits.urlMax,
        description: "replaces the webhook's avatar; ignored if the image cannot be loaded",
      }),
    ),
  ),
  embeds: Type.Optional(Nullable(Type.Array(CreateEmbed, { maxItems: MAX_EMBEDS }))),
  components: LinkButtons(),
  thread_name: ThreadName(),
  applied_tags: AppliedTags(),
  allowed_mentions: Type.Optional(Nullable(AllowedMentions)),
  flags: Type.Optional(
    Nullable(Type.Integer({ description: 'bits: 1 or 4 no previews, 2 or 4096 silent; others are ignored' })),
  ),
  attachments: Type.Optional(
    Nullable(
      Type.Array(Type.Partial(DescribedFile), {
        description: 'alternative texts of the attached files; entries that match no file are ignored',
      }),
    ),
  ),
})
export type ExecuteWebhookBody = Static<typeof ExecuteWebhookBody>

/** Omitted fields stay unchanged. Null empties a text or a list. */
export const UpdateWebhookMessageBody = Type.Object({
  content: Type.Optional(Nullable(Text(0, limits.messageMax))),
  embeds: Type.Optional(Nullable(Type.Array(CreateEmbed, { maxItems: MAX_EMBEDS }))),
  components: LinkButtons(),
  allowed_mentions: Type.Optional(Nullable(AllowedMentions)),
  flags: Type.Optional(
    Nullable(Type.Integer({ description: 'bits: 1 or 4 no previews; others are ignored' })),
  ),
})
export type UpdateWebhookMessageBody = Static<typeof UpdateWebhookMessageBody>

export const UpdateWebhookMessageForm = Type.Object({
  payload_json: Type.Optional(Type.String({ description: 'the body as JSON' })),
  content: Type.Optional(Text(0, limits.messageMax)),
})

/** The text fields of the multipart body. Its files may be in fields of any name. */
export const ExecuteWebhookForm = Type.Object({
  payload_json: Type.Optional(
    Type.String({ description: 'the body as JSON; some fields can also be form fields' }),
  ),
  content: Type.Optional(Text(0, limits.messageMax)),
  username: Type.Optional(Text(0, limits.nameMax)),
  avatar_url: Type.Optional(Type.String({ maxLength: limits.urlMax })),
  thread_name: Type.Optional(Text(0, MAX_THREAD_TITLE_CHARACTERS)),
})

/** The payload of another service, in its own shape. */
export const ServicePayload = Type.Unsafe<object>({
  type: 'object',
  description: 'as the service documents it',
})

/** A thread of the room, or a chain of replies, named by its first message. */
const Thread = Type.Optional(
  Type.String({
    maxLength: 64,
    description: 'a thread of the room, or the first message of a chain of replies in it',
  }),
)
export const ExecuteWebhookQuery = Type.Object({
  // Not a boolean, because Python clients send `True`.
  wait: Type.Optional(
    Type.String({ maxLength: 8, description: '`true` answers with the message, otherwise 204' }),
  ),
  thread_id: Thread,
})

export const WebhookMessageQuery = Type.Object({ thread_id: Thread })

/** The body of a 429 for webhooks: clients for Discord read `retry_after`. */
export const WebhookRateLimited = Type.Object(
  {
    error: Type.String(),
    retry_after: Type.Number({
      description: 'seconds under `/api/v8` and later; milliseconds under earlier versions and without one',
    }),
    global: Type.Boolean(),
  },
  { title: 'WebhookRateLimited' },
)
export type WebhookRateLimited = Static<typeof WebhookRateLimited>

export const WebhookParams = Type.Object({ webhookId: Uuid() })
export const WebhookTokenParams = Type.Object({ webhookId: Uuid(), token: Type.String({ maxLength: 128 }) })
export const WebhookMessageParams = Type.Object({
  ...WebhookTokenParams.properties,
  messageId: Uuid(),
})
