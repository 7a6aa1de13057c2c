import type { Embed, EmbedMedia } from '@foyer/protocol/embeds'

/** All pictures of an embed, the small ones of its author and its foot last. */
export function picturesOf(embed: Embed): EmbedMedia[] {
  return [...largeOf(embed), ...iconsOf(embed)]
}

export function largeOf({ image, thumbnail }: Embed): EmbedMedia[] {
  return [image, thumbnail].flatMap((picture) => picture ?? [])
}

export function iconsOf({ author, footer }: Embed): EmbedMedia[] {
  return [author?.icon, footer?.icon].flatMap((picture) => picture ?? [])
}

/** The same embed where none of its pictures becomes another. */
export function withPictures(embed: Embed, become: (picture: EmbedMedia) => EmbedMedia | null): Embed {
  if (picturesOf(embed).every((picture) => become(picture) === picture)) return embed
  const replaced = (picture: EmbedMedia | null | undefined) => (picture ? become(picture) : null)
  const { image, thumbnail, author, footer } = embed
  return {
    ...embed,
    image: replaced(image),
    thumbnail: replaced(thumbnail),
    author: author && { ...author, icon: replaced(author.icon) },
    footer: footer && { ...footer, icon: replaced(footer.icon) },
  }
}
