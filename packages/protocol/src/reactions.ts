import { type Static, Type } from 'typebox'
import { ChannelPlace } from './channels.ts'
import { MAX_PAGE } from './limits.ts'
import { Nullable, Uuid } from './schema.ts'

/** An emoji in a path. */
export const EmojiParam = () =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'one Unicode emoji, percent-encoded, or the id of an emoji of the space',
  })

/**
 * Variation selector that requests a colourful picture for a character that could be plain text. Keyboards use it
 * inconsistently.
 */
const PRESENTATION = '\uFE0F'
const SHOWN_AS_TEXT = /\p{Emoji}(?<!\p{Emoji_Presentation})(?!\p{Emoji_Modifier})/gu

/**
 * Returns one Unicode emoji in its canonical form: with the variation selector after each character that is plain text
 * by default, and after no other character. Undefined for anything else: letters, digits, two emojis, an empty text.
 */
export function unicodeEmoji(text: string): string | undefined {
  const shown = text.replaceAll(PRESENTATION, '').replaceAll(SHOWN_AS_TEXT, `$&${PRESENTATION}`)
  return /^\p{RGI_Emoji}$/v.test(shown) ? shown : undefined
}

export const ListReactionsQuery = Type.Object({
  after: Type.Optional(Uuid('the last user of the previous page')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: MAX_PAGE })),
})
export type ListReactionsQuery = Static<typeof ListReactionsQuery>

/** A reaction that was added or removed. `seq` is the message's, and `count` the emoji's new number of reactions. */
export const ReactionChange = Type.Object({
  message_id: Uuid(),
  seq: Type.Integer(),
  ...ChannelPlace,
  user_id: Uuid(),
  emoji: Type.String(),
  count: Type.Integer(),
})
export type ReactionChange = Static<typeof ReactionChange>

/** All reactions of a message were removed, or all with one emoji. */
export const ReactionClear = Type.Object({
  message_id: Uuid(),
  seq: Type.Integer(),
  ...ChannelPlace,
  emoji: Nullable(Type.String()),
})
export type ReactionClear = Static<typeof ReactionClear>
