import { type Embed, type EmbedMedia, EmbedType } from '@foyer/protocol/embeds'
import { iconsOf, largeOf, withPictures } from './embed-pictures.ts'

/** Of one message. */
const MAX_OWN_PICTURES = 10

/** Of the pictures of a bot's or a webhook's embeds that are copied at all those that are not yet, each once. */
export function uncopied(embeds: readonly Embed[]): EmbedMedia[] {
  const own = embeds.filter(({ type }) => type === EmbedType.Rich)
  // All large ones first: one can do without icons rather.
  const pictures = [...own.flatMap(largeOf), ...own.flatMap(iconsOf)]
  const each = [...new Map(pictures.map((picture) => [picture.url, picture])).values()]
  return each.slice(0, MAX_OWN_PICTURES).filter(({ attachment_id }) => attachment_id === null)
}

/** The same embed where nothing of it was copied. */
export function withOwnCopies(embed: Embed, copies: ReadonlyMap<string, EmbedMedia>): Embed {
  return withPictures(embed, (picture) =>
    picture.attachment_id === null ? (copies.get(picture.url) ?? picture) : picture,
  )
}
