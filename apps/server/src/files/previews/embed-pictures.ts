import type { Embed, EmbedMedia } from '@foyer/protocol/embeds'

/** Returns all pictures of an embed. The small icons of author and footer come last. */
export function picturesOf(embed: Embed): EmbedMedia[] {
  return [...largeOf(embed), ...iconsOf(embed)]
}

export function largeOf({ image, thumbnail }: Embed): EmbedMedia[] {
  return [image, thumbnail].flatMap((picture) => picture ?? [])
}

export function iconsOf({ author, footer }: Embed): EmbedMedia[] {
  return [author?.icon, footer?.icon].flatMap((picture) => picture ?? [])
}

/** Returns the embed with replaced pictures; the same object if none changed. */
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
