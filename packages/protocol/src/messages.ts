import { type Static, Type } from 'typebox'
import { Attachment } from './attachments.ts'
import { DEFAULT_PAGE, limits, MAX_MESSAGE_FILES, MAX_MESSAGE_STICKERS, MAX_PAGE } from './limits.ts'
import { Member } from './members.ts'
import { Nothing, Nullable, Text, Timestamp, Uuid } from './schema.ts'
import { SpaceSticker } from './stickers.ts'
import { User } from './users.ts'

export const MessageType = {
  Default: 0,
  PinNotice: 1,
  MemberJoined: 2,
  Call: 3,
  InteractionResponse: 4,
} as const

/** `seq` grows by one per message of a room and is never reused: it orders messages and shows gaps. */
export const Message = Type.Object(
  {
    id: Uuid(),
    room_id: Nullable(Uuid()),
    conversation_id: Nullable(Uuid()),
    space_id: Nullable(Uuid()),
    seq: Type.Integer(),
    type: Type.Integer({
      description: '0 default, 1 pin notice, 2 member joined, 3 call, 4 interaction response',
    }),
    author: User,
    member: Nullable(Member),
    content: Type.String(),
    created_at: Timestamp(),
    edited_at: Nullable(Timestamp()),
    pinned: Type.Boolean(),
    flags: Type.Integer(),
    mentions: Nothing(),
    mention_roles: Nothing(),
    mention_everyone: Type.Boolean(),
    attachments: Type.Array(Attachment),
    embeds: Nothing(),
    stickers: Type.Array(SpaceSticker),
    reactions: Nothing(),
    reference: Nullable(Type.Object({})),
    referenced_message: Nullable(Type.Object({})),
    snapshot: Nullable(Type.Object({})),
    webhook_id: Nullable(Uuid()),
    application_id: Nullable(Uuid()),
    interaction: Nullable(Type.Object({})),
    nonce: Nullable(
      Type.String({ description: "the sender's own mark; a repeat returns the first message" }),
    ),
  },
  { title: 'Message' },
)
export type Message = Static<typeof Message>

export const CreateMessageBody = Type.Object({
  content: Type.Optional(Nullable(Text(0, limits.messageMax))),
  nonce: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: limits.nonceMax }))),
  attachment_ids: Type.Optional(
    Nullable(
      Type.Array(Uuid(), {
        maxItems: MAX_MESSAGE_FILES,
        uniqueItems: true,
        description: 'files that were uploaded past the server',
      }),
    ),
  ),
  sticker_ids: Type.Optional(
    Nullable(Type.Array(Uuid(), { maxItems: MAX_MESSAGE_STICKERS, uniqueItems: true })),
  ),
})
export type CreateMessageBody = Static<typeof CreateMessageBody>

/** Beside files, in fields of any name: they come before those of `attachment_ids`. */
export const CreateMessageForm = Type.Object({
  payload_json: Type.Optional(
    Type.String({ description: 'the body as JSON; content and nonce can also come as texts' }),
  ),
  content: Type.Optional(Text(0, limits.messageMax)),
  nonce: Type.Optional(Type.String({ minLength: 1, maxLength: limits.nonceMax })),
})

export const UpdateMessageBody = Type.Object({ content: Type.Optional(Text(0, limits.messageMax)) })
export type UpdateMessageBody = Static<typeof UpdateMessageBody>

export const ListMessagesQuery = Type.Object({
  before: Type.Optional(Uuid()),
  after: Type.Optional(Uuid()),
  around: Type.Optional(Uuid()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: DEFAULT_PAGE })),
})
export type ListMessagesQuery = Static<typeof ListMessagesQuery>

export const MessageParams = Type.Object({ roomId: Uuid(), messageId: Uuid() })

/** How far a user has read a room: up to and including the message with `last_read_seq`. */
export const ReadState = Type.Object(
  {
    room_id: Nullable(Uuid()),
    conversation_id: Nullable(Uuid()),
    last_read_seq: Type.Integer(),
    mention_count: Type.Integer(),
  },
  { title: 'ReadState' },
)
export type ReadState = Static<typeof ReadState>
