import { type Static, Type } from 'typebox'
import { ChannelPlace } from './channels.ts'
import { MAX_PAGE } from './limits.ts'
import { Nullable, Uuid } from './schema.ts'

/** In a path: one Unicode emoji, or the id of a space's emoji. */
export const EmojiParam = () => Type.String({ minLength: 1, maxLength: 64 })

export const ListReactionsQuery = Type.Object({
  after: Type.Optional(Uuid('the last user of the page before')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: MAX_PAGE })),
})
export type ListReactionsQuery = Static<typeof ListReactionsQuery>

/** A reaction that came or went. `count` is how many have that emoji afterwards. */
export const ReactionChange = Type.Object({
  message_id: Uuid(),
  ...ChannelPlace,
  user_id: Uuid(),
  emoji: Type.String(),
  count: Type.Integer(),
})
export type ReactionChange = Static<typeof ReactionChange>

/** All reactions of a message went, or with an emoji all with that. */
export const ReactionClear = Type.Object({
  message_id: Uuid(),
  ...ChannelPlace,
  emoji: Nullable(Type.String()),
})
export type ReactionClear = Static<typeof ReactionClear>
