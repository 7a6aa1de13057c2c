import { type Static, Type } from 'typebox'
import {
  DEFAULT_SEARCH_PAGE,
  MAX_POST_TAGS,
  MAX_SEARCH_PAGE,
  MAX_SEARCH_QUERY,
  MAX_SEARCH_ROOMS,
  MAX_SEARCH_USERS,
} from './limits.ts'
import { Message } from './messages.ts'
import { Nullable, Uuid } from './schema.ts'
import { User } from './users.ts'

export const searchKinds = ['link', 'embed', 'file', 'image', 'video', 'sound', 'sticker'] as const
export type SearchKind = (typeof searchKinds)[number]

/** Maximum kinds in a search. More than the seven that exist, because a repeated kind is harmless. */
const MAX_SEARCH_KINDS = 100

/** Specification 4.3.3. A single value may be sent without a list. */
const filters = {
  query: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH_QUERY,
      description: 'words; each must start a word of the message, a single letter must be a whole word',
    }),
  ),
  author_id: Type.Optional(Type.Array(Uuid(), { maxItems: MAX_SEARCH_USERS })),
  mentions: Type.Optional(Type.Array(Uuid(), { maxItems: MAX_SEARCH_USERS })),
  has: Type.Optional(
    Type.Array(Type.Unsafe<SearchKind>({ type: 'string', enum: [...searchKinds] }), {
      maxItems: MAX_SEARCH_KINDS,
    }),
  ),
  pinned: Type.Optional(Type.Boolean()),
  after: Type.Optional(Type.String({ maxLength: 64, description: 'sent after this ISO 8601 time' })),
  before: Type.Optional(Type.String({ maxLength: 64, description: 'sent before this ISO 8601 time' })),
  cursor: Type.Optional(Uuid("the previous page's last message")),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SEARCH_PAGE, default: DEFAULT_SEARCH_PAGE })),
}
export const SearchConversationQuery = Type.Object(filters)
export type SearchConversationQuery = Static<typeof SearchConversationQuery>

export const SearchMessagesQuery = Type.Object({
  ...filters,
  room_id: Type.Optional(Type.Array(Uuid(), { maxItems: MAX_SEARCH_ROOMS })),
  thread: Type.Optional(Uuid('only messages of this thread')),
  tag: Type.Optional(
    Type.Array(Uuid(), { maxItems: MAX_POST_TAGS, description: 'only in posts with any of these tags' }),
  ),
  solved: Type.Optional(Type.Boolean({ description: 'only in posts with an answer, or without' })),
})
export type SearchMessagesQuery = Static<typeof SearchMessagesQuery>

export const FoundThread = Type.Object(
  { id: Uuid(), room_id: Uuid('its room or forum'), title: Type.String() },
  { title: 'FoundThread' },
)
export type FoundThread = Static<typeof FoundThread>

export const MessageSearchResponse = Type.Object(
  {
    messages: Type.Array(Message, { description: 'newest first' }),
    users: Type.Array(User, { description: 'the authors of the messages, each once' }),
    threads: Type.Array(FoundThread, { description: 'the threads and posts of the messages, each once' }),
    has_more: Type.Boolean(),
    cursor: Nullable(Uuid('for the next page; null when there is none')),
  },
  { title: 'MessageSearchResponse' },
)
export type MessageSearchResponse = Static<typeof MessageSearchResponse>
