import { type Static, Type } from 'typebox'
import { DEFAULT_MENTIONS_PAGE, MAX_MENTIONS_PAGE } from './limits.ts'
import { Message } from './messages.ts'
import { Nullable, Uuid } from './schema.ts'

export const ListMentionsQuery = Type.Object({
  before: Type.Optional(Uuid("the previous page's cursor, or any id")),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_MENTIONS_PAGE, default: DEFAULT_MENTIONS_PAGE }),
  ),
})
export type ListMentionsQuery = Static<typeof ListMentionsQuery>

export const MentionsPage = Type.Object(
  {
    messages: Type.Array(Message, { description: 'newest first; may be fewer than `limit`' }),
    has_more: Type.Boolean(),
    cursor: Nullable(Uuid('for the next page; null when there is none')),
  },
  { title: 'MentionsPage' },
)
export type MentionsPage = Static<typeof MentionsPage>
