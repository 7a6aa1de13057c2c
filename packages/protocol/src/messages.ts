import { type Static, Type } from 'typebox'
import { Attachment, DescribedFiles } from './attachments.ts'
import { ChannelPlace } from './channels.ts'
import { ComponentRow } from './components.ts'
import { CreateEmbed, Embed } from './embeds.ts'
import { CopiedMessage } from './follows.ts'
import {
  DEFAULT_PAGE,
  limits,
  MAX_COMPONENT_ROWS,
  MAX_EMBEDS,
  MAX_MENTIONS,
  MAX_MESSAGE_FILES,
  MAX_MESSAGE_STICKERS,
  MAX_PAGE,
  MAX_REPLY_COUNT,
  MAX_UNREAD_COUNT,
} from './limits.ts'
import { Member } from './members.ts'
import { Int32, Nullable, Text, Timestamp, Uuid } from './schema.ts'
import { SpaceSticker } from './stickers.ts'
import { User } from './users.ts'
import { CallRecord } from './voice.ts'

export const MessageType = {
  Default: 0,
  PinNotice: 1,
  MemberJoined: 2,
  Call: 3,
  InteractionResponse: 4,
  WebNotice: 5,
} as const

/** Bits of a message's `flags`. */
export const MessageFlag = {
  /** Hides the previews of links in the message. */
  SuppressEmbeds: 1 << 0,
  /** Sends no notifications. */
  SuppressNotifications: 1 << 1,
  /** Visible only to the user it answers, and not stored. */
  Ephemeral: 1 << 2,
  /** A bot is still preparing its answer. */
  Loading: 1 << 3,
  /** A forward of a message from a thread into its room. */
  FromThread: 1 << 4,
} as const

export const ReferenceType = { Reply: 0, Forward: 1 } as const

/** The message that is replied to or forwarded. */
export const MessageReference = Type.Object(
  {
    type: Type.Integer({ description: '0 reply, 1 forward' }),
    message_id: Nullable(Uuid()),
    ...ChannelPlace,
  },
  {
    title: 'MessageReference',
    description: 'All ids are null in a forward from another room or conversation: see Get Origin of Forward',
  },
)
export type MessageReference = Static<typeof MessageReference>

/** A copy of the forwarded message, readable even if the original is not. */
export const MessageSnapshot = Type.Object(
  {
    content: Type.String(),
    created_at: Timestamp(),
    edited_at: Nullable(Timestamp()),
    flags: Type.Integer(),
    attachments: Type.Array(Attachment, { description: 'copies that belong to the forwarding message' }),
    embeds: Type.Array(Embed),
    stickers: Type.Array(SpaceSticker),
  },
  { title: 'MessageSnapshot' },
)
export type MessageSnapshot = Static<typeof MessageSnapshot>

/** Reactions with one emoji: Unicode, or the id of a space's emoji. In events, `me` is false: clients keep their value. */
export const Reaction = Type.Object(
  { emoji: Type.String(), count: Type.Integer(), me: Type.Boolean() },
  { title: 'Reaction' },
)
export type Reaction = Static<typeof Reaction>

/** Replies of a thread, summarized in its first message. */
export const ThreadReplies = Type.Object(
  {
    count: Type.Integer({ description: `${MAX_REPLY_COUNT} means as many or more` }),
    last_seq: Type.Integer({ description: 'seq of the latest counted reply' }),
    last_at: Timestamp(),
    users: Type.Array(User, { description: 'up to 3 users who replied, the latest first' }),
  },
  { title: 'ThreadReplies' },
)
export type ThreadReplies = Static<typeof ThreadReplies>

/** The interaction that a bot's message answers. */
export const MessageInteraction = Type.Object(
  {
    id: Uuid(),
    type: Type.String({ description: 'command, component or modal' }),
    name: Type.String({ description: 'of the command; empty for components and modals' }),
    user: User,
  },
  { title: 'MessageInteraction' },
)
export type MessageInteraction = Static<typeof MessageInteraction>

const plainFields = {
  id: Uuid(),
  ...ChannelPlace,
  seq: Type.Integer(),
  type: Type.Integer({
    description: '0 default, 1 pin notice, 2 member joined, 3 call, 4 interaction response, 5 web notice',
  }),
  author: User,
  member: Nullable(Member),
  content: Type.String(),
  created_at: Timestamp(),
  edited_at: Nullable(Timestamp()),
  pinned: Type.Boolean(),
  flags: Type.Integer({
    description: 'bits: 1 no previews, 2 silent, 4 ephemeral, 8 loading, 16 from a thread',
  }),
  mentions: Type.Array(User),
  mention_roles: Type.Array(Uuid()),
  mention_everyone: Type.Boolean(),
  attachments: Type.Array(Attachment),
  embeds: Type.Array(Embed),
  stickers: Type.Array(SpaceSticker),
  reactions: Type.Array(Reaction),
  components: Type.Array(ComponentRow),
  reference: Nullable(MessageReference),
  thread_id: Nullable(
    Uuid('of a reply: the first message of its thread, which is not a reply itself and may be deleted'),
  ),
}

const laterFields = {
  snapshot: Nullable(MessageSnapshot),
  webhook_id: Nullable(Uuid('webhook that posted it: the author is not a user')),
  copy_of: Type.Optional(CopiedMessage),
  application_id: Nullable(Uuid()),
  interaction: Nullable(MessageInteraction),
  call: Nullable(CallRecord),
  nonce: Nullable(
    Type.String({ description: 'id chosen by the sender; sending it again returns the first message' }),
  ),
}

/** The message that a reply answers. If this message is a reply, too, its own target is given only by id. */
export const ReferencedMessage = Type.Object(
  { ...plainFields, ...laterFields },
  { title: 'ReferencedMessage' },
)
export type ReferencedMessage = Static<typeof ReferencedMessage>

/** `seq` grows by one per message of a room and is never reused: it orders messages and shows gaps. */
export const Message = Type.Object(
  {
    ...plainFields,
    referenced_message: Nullable(ReferencedMessage),
    replies: Nullable(ThreadReplies),
    ...laterFields,
  },
  { title: 'Message' },
)
export type Message = Static<typeof Message>

/** The mentions that notify users. If omitted, all mentions that the author may make notify. */
export const AllowedMentions = Type.Object({
  parse: Type.Optional(
    Nullable(
      Type.Array(Type.String({ enum: ['users', 'roles', 'everyone'] }), {
        maxItems: 3,
        description: 'kinds of mentions that are all allowed, in addition to the ids in `users` and `roles`',
      }),
    ),
  ),
  users: Type.Optional(Nullable(Type.Array(Uuid(), { maxItems: MAX_MENTIONS }))),
  roles: Type.Optional(Nullable(Type.Array(Uuid(), { maxItems: MAX_MENTIONS }))),
  replied_user: Type.Optional(
    Nullable(Type.Boolean({ description: 'whether a reply mentions the author; true when omitted' })),
  ),
})
export type AllowedMentions = Static<typeof AllowedMentions>

export const CreateReference = Type.Object({
  type: Type.Optional(Type.Integer({ enum: [0, 1], description: '0 reply, 1 forward; 0 when omitted' })),
  message_id: Uuid(),
  room_id: Type.Optional(Nullable(Uuid('where a forwarded message is; not needed for a reply'))),
  conversation_id: Type.Optional(Nullable(Uuid())),
})
export type CreateReference = Static<typeof CreateReference>

const CONTENT =
  'Markdown; `<@userId>`, `<@&roleId>`, `@everyone` and `@here` mention, `<#roomId>` names a room, `<:name:emojiId>` shows an emoji'

export const CreateMessageBody = Type.Object({
  content: Type.Optional(Nullable({ ...Text(0, limits.messageMax), description: CONTENT })),
  nonce: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: limits.nonceMax,
        description: 'id chosen by the sender; sending it again within 24 hours returns the first message',
      }),
    ),
  ),
  reference: Type.Optional(Nullable(CreateReference)),
  allowed_mentions: Type.Optional(Nullable(AllowedMentions)),
  flags: Type.Optional(Nullable(Int32('bits: 1 no previews, 2 silent'))),
  embeds: Type.Optional(
    Nullable(Type.Array(CreateEmbed, { maxItems: MAX_EMBEDS, description: 'of bots and webhooks' })),
  ),
  components: Type.Optional(
    Nullable(Type.Array(ComponentRow, { maxItems: MAX_COMPONENT_ROWS, description: 'of bots' })),
  ),
  attachment_ids: Type.Optional(
    Nullable(
      Type.Array(Uuid(), {
        maxItems: MAX_MESSAGE_FILES,
        uniqueItems: true,
        description: 'files that were uploaded directly to the storage',
      }),
    ),
  ),
  attachments: Type.Optional(Nullable(DescribedFiles)),
  sticker_ids: Type.Optional(
    Nullable(Type.Array(Uuid(), { maxItems: MAX_MESSAGE_STICKERS, uniqueItems: true })),
  ),
  also_to_room: Type.Optional(Type.Boolean({ description: 'in a thread: forwards it to the room, too' })),
})
export type CreateMessageBody = Static<typeof CreateMessageBody>

/** A multipart body. Files may be sent in fields of any name, and are listed before the uploads of `attachment_ids`. */
export const CreateMessageForm = Type.Object({
  payload_json: Type.Optional(
    Type.String({ description: 'the body as JSON; content and nonce can also be form fields' }),
  ),
  content: Type.Optional(Text(0, limits.messageMax)),
  nonce: Type.Optional(Type.String({ minLength: 1, maxLength: limits.nonceMax })),
})

export const UpdateMessageBody = Type.Object({
  content: Type.Optional(Text(0, limits.messageMax)),
  flags: Type.Optional(Int32('bits: 1 no previews; members with ManageMessages may change it, too')),
  allowed_mentions: Type.Optional(Nullable(AllowedMentions)),
  embeds: Type.Optional(
    Nullable(Type.Array(CreateEmbed, { maxItems: MAX_EMBEDS, description: 'of bots and webhooks' })),
  ),
  components: Type.Optional(
    Nullable(Type.Array(ComponentRow, { maxItems: MAX_COMPONENT_ROWS, description: 'of bots' })),
  ),
})
export type UpdateMessageBody = Static<typeof UpdateMessageBody>

const page = {
  before: Type.Optional(Uuid()),
  after: Type.Optional(Uuid()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: DEFAULT_PAGE })),
}

export const ListMessagesQuery = Type.Object({ ...page, around: Type.Optional(Uuid()) })
export type ListMessagesQuery = Static<typeof ListMessagesQuery>

export const ListRepliesQuery = Type.Object(page)
export type ListRepliesQuery = Static<typeof ListRepliesQuery>

/** A deleted message, with the fields that clients need to correct unread and mention counts. */
export const DeletedMessage = Type.Object({
  id: Uuid(),
  seq: Type.Integer(),
  author_id: Uuid(),
  mentions: Type.Array(Uuid()),
  mention_roles: Type.Array(Uuid()),
  mention_everyone: Type.Boolean(),
  thread_id: Nullable(Uuid('of a reply: the first message of its thread')),
})
export type DeletedMessage = Static<typeof DeletedMessage>

/** A user's read position in a room: up to and including `last_read_seq`. */
export const ReadState = Type.Object(
  {
    room_id: Nullable(Uuid()),
    conversation_id: Nullable(Uuid()),
    last_read_seq: Type.Integer(),
    unread_count: Type.Integer({
      description: `later messages of others; ${MAX_UNREAD_COUNT} means as many or more`,
    }),
    mention_count: Type.Integer({ description: 'how many of them mention the user, up to the same maximum' }),
  },
  { title: 'ReadState' },
)
export type ReadState = Static<typeof ReadState>
