import { type Static, Type } from 'typebox'
import { limits, MAX_GROUP_MEMBERS } from './limits.ts'
import { KeptImage, Nullable, RemovedImage, Text, Timestamp, Uuid } from './schema.ts'
import { User } from './users.ts'

export const ConversationType = { Direct: 1, Group: 2 } as const

/** A conversation of people and bots outside of spaces. */
export const Conversation = Type.Object(
  {
    id: Uuid(),
    type: Type.Integer({ description: '1 direct, 2 group' }),
    name: Nullable(Type.String({ description: 'of a group' })),
    icon: Nullable(Uuid('icon attachment of a group')),
    owner_id: Nullable(Uuid('of a group')),
    recipients: Type.Array(User, { description: 'all members, including the caller' }),
    last_message_id: Nullable(Uuid()),
    last_seq: Type.Integer({ description: 'seq of the newest message ever sent here; 0 before the first' }),
    created_at: Timestamp(),
  },
  { title: 'Conversation' },
)
export type Conversation = Static<typeof Conversation>

export const CreateConversationBody = Type.Object({
  recipient_ids: Type.Array(Uuid(), {
    minItems: 1,
    maxItems: MAX_GROUP_MEMBERS - 1,
    description: 'users other than the caller: one opens the direct conversation, more create a group',
  }),
  name: Type.Optional(Nullable(Text(1, limits.nameMax))),
})
export type CreateConversationBody = Static<typeof CreateConversationBody>

/** Changes of a group. */
export const UpdateConversationBody = Type.Object({
  name: Type.Optional(Nullable(Text(1, limits.nameMax))),
  owner_id: Type.Optional(Uuid('a member, who becomes the owner; only the owner may set it')),
  icon: KeptImage(),
})
export type UpdateConversationBody = Static<typeof UpdateConversationBody>

/** The text fields of the multipart body. Its file is `icon`. */
export const UpdateConversationForm = Type.Object({
  name: Type.Optional(Text(0, limits.nameMax)),
  owner_id: Type.Optional(Uuid()),
  remove_icon: RemovedImage(),
})

export const ConversationParams = Type.Object({ conversationId: Uuid() })
export const ConversationMemberParams = Type.Object({ conversationId: Uuid(), userId: Uuid() })
