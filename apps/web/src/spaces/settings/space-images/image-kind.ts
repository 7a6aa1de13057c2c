import { MAX_EMOJIS, MAX_STICKERS } from '@foyer/protocol/limits'
import type { SpaceImage } from '@foyer/protocol/space-images'
import type { Client } from '@foyer/sdk/client'
import { t } from '#src/language/texts.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import type { Store } from '#src/store/store.ts'

interface Access {
  readonly client: Client
  readonly store: Store
}

interface NamedImage {
  readonly name: string
  readonly image: Blob
}

/** UI texts of the settings section. */
interface KindTexts {
  countOf(count: number): string
  readonly hint: string
  readonly add: string
  readonly none: string
  readonly search: string
  readonly all: string
  readonly notFound: string
  readonly deleted: string
}

/** The differences between emoji and stickers in the settings. */
export interface ImageKind {
  readonly noun: 'emoji' | 'sticker'
  readonly texts: KindTexts
  readonly max: number
  listOf(space: SpaceEntry): readonly SpaceImage[]
  /** Like `rename` and `remove`, applies the response immediately, without waiting for its event. */
  create(access: Access, spaceId: string, image: NamedImage): Promise<void>
  rename(access: Access, image: SpaceImage, name: string): Promise<void>
  remove(access: Access, image: SpaceImage): Promise<void>
}

export const emojiKind: ImageKind = {
  noun: 'emoji',
  texts: {
    countOf: (count) => t('{count} of {max} emoji', { count, max: MAX_EMOJIS }),
    hint: t('PNG, JPEG, WebP, GIF or AVIF, animated or not. Drag and drop to upload.'),
    add: t('Add emoji'),
    none: t('No custom emoji yet'),
    search: t('Search emoji'),
    all: t('All emoji'),
    notFound: t('No emoji match.'),
    deleted: t('No one will be able to use this emoji. Messages will show its name instead.'),
  },
  max: MAX_EMOJIS,
  listOf: (space) => space.emojis,
  create: async ({ client, store }, spaceId, image) => {
    store.adopt('SPACE_EMOJI_CREATE', await client.emojis.create(spaceId, image))
  },
  rename: async ({ client, store }, { space_id, id }, name) => {
    store.adopt('SPACE_EMOJI_UPDATE', await client.emojis.update(space_id, id, { name }))
  },
  remove: async ({ client, store }, { space_id, id }) => {
    await client.emojis.delete(space_id, id)
    store.adopt('SPACE_EMOJI_DELETE', { space_id, emoji_id: id })
  },
}

export const stickerKind: ImageKind = {
  noun: 'sticker',
  texts: {
    countOf: (count) => t('{count} of {max} stickers', { count, max: MAX_STICKERS }),
    hint: t('PNG, JPEG, WebP, GIF or AVIF, animated or not. Drag and drop to upload.'),
    add: t('Add stickers'),
    none: t('No custom stickers yet'),
    search: t('Search stickers'),
    all: t('All stickers'),
    notFound: t('No stickers match.'),
    deleted: t('No one will be able to use this sticker. Messages will show its name instead.'),
  },
  max: MAX_STICKERS,
  listOf: (space) => space.stickers,
  create: async ({ client, store }, spaceId, image) => {
    store.adopt('SPACE_STICKER_CREATE', await client.stickers.create(spaceId, image))
  },
  rename: async ({ client, store }, { space_id, id }, name) => {
    store.adopt('SPACE_STICKER_UPDATE', await client.stickers.update(space_id, id, { name }))
  },
  remove: async ({ client, store }, { space_id, id }) => {
    await client.stickers.delete(space_id, id)
    store.adopt('SPACE_STICKER_DELETE', { space_id, sticker_id: id })
  },
}
