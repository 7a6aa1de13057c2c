import { type Embed, type EmbedMedia, EmbedType } from '@foyer/protocol/embeds'

/** Of one message. */
const MAX_OWN_PICTURES = 10

/** The pictures of a bot's or a webhook's embeds that are still where strangers have them, each once. */
export function uncopied(embeds: readonly Embed[]): EmbedMedia[] {
  const own = embeds.filter(({ type }) => type === EmbedType.Rich)
  const pictures = own.flatMap(({ image, thumbnail }) => [image ?? [], thumbnail ?? []].flat())
  const strange = pictures.filter(({ attachment_id }) => attachment_id === null)
  return [...new Map(strange.map((picture) => [picture.url, picture])).values()].slice(0, MAX_OWN_PICTURES)
}

/** The same embed where nothing of it was copied. */
export function withOwnCopies(embed: Embed, copies: ReadonlyMap<string, EmbedMedia>): Embed {
  const image = copyFor(embed.image, copies)
  const thumbnail = copyFor(embed.thumbnail, copies)
  if (image === undefined && thumbnail === undefined) return embed
  return { ...embed, image: image ?? embed.image, thumbnail: thumbnail ?? embed.thumbnail }
}

function copyFor(media: EmbedMedia | null, copies: ReadonlyMap<string, EmbedMedia>): EmbedMedia | undefined {
  return media === null || media.attachment_id !== null ? undefined : copies.get(media.url)
}
