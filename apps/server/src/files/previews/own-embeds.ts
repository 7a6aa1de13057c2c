import { type Embed, type EmbedMedia, EmbedType } from '@foyer/protocol/embeds'
import { iconsOf, largeOf, withPictures } from './embed-pictures.ts'

/** Maximum pictures copied per message. */
const MAX_OWN_PICTURES = 10

/** Returns the pictures in embeds of bots and webhooks that still have to be copied, without duplicates. */
export function uncopied(embeds: readonly Embed[]): EmbedMedia[] {
  const own = embeds.filter(({ type }) => type === EmbedType.Rich)
  // Large pictures first: icons matter less.
  const pictures = [...own.flatMap(largeOf), ...own.flatMap(iconsOf)]
  const each = [...new Map(pictures.map((picture) => [picture.url, picture])).values()]
  return each.slice(0, MAX_OWN_PICTURES).filter(({ attachment_id }) => attachment_id === null)
}

/** Returns the embed with its copied pictures; the same object if none was copied. */
export function withOwnCopies(embed: Embed, copies: ReadonlyMap<string, EmbedMedia>): Embed {
  return withPictures(embed, (picture) =>
    picture.attachment_id === null ? (copies.get(picture.url) ?? picture) : picture,
  )
}
