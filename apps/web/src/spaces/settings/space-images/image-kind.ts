import { MAX_EMOJIS, MAX_STICKERS } from '@foyer/protocol/limits'
import type { SpaceImage } from '@foyer/protocol/space-images'
import type { Client } from '@foyer/sdk/client'
import type { SpaceEntry } from '#src/store/state.ts'
import type { Store } from '#src/store/store.ts'

interface Place {
  readonly client: Client
  readonly store: Store
}

interface NamedImage {
  readonly name: string
  readonly image: Blob
}

/** What differs between emojis and stickers where they are managed. */
export interface ImageKind {
  readonly noun: 'emoji' | 'sticker'
  readonly plural: 'emojis' | 'stickers'
  readonly max: number
  listOf(space: SpaceEntry): readonly SpaceImage[]
  /** The answers are shown at once; the gateway tells them too. */
  create(place: Place, spaceId: string, image: NamedImage): Promise<void>
  rename(place: Place, image: SpaceImage, name: string): Promise<void>
  remove(place: Place, image: SpaceImage): Promise<void>
}

export const emojiKind: ImageKind = {
  noun: 'emoji',
  plural: 'emojis',
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
  plural: 'stickers',
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
