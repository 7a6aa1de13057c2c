import type { SpaceEmoji, UpdateEmojiBody } from '@foyer/protocol/emojis'
import { type CallOptions, path, type Rest } from '../rest.ts'

export class Emojis {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  list(spaceId: string, options?: CallOptions): Promise<SpaceEmoji[]> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/spaces/${spaceId}/emojis` })
  }

  /** Adds an emoji. Needs ManageSpaceEmojis. The image is a PNG, JPEG, WebP, GIF or AVIF, and may be animated. */
  create(
    spaceId: string,
    { name, image }: { name: string; image: Blob },
    options?: CallOptions,
  ): Promise<SpaceEmoji> {
    const body = new FormData()
    body.set('name', name)
    body.set('image', image, image instanceof File ? image.name : name)
    return this.#rest.request({ ...options, method: 'POST', path: path`/api/spaces/${spaceId}/emojis`, body })
  }

  update(
    spaceId: string,
    emojiId: string,
    body: UpdateEmojiBody,
    options?: CallOptions,
  ): Promise<SpaceEmoji> {
    const where = path`/api/spaces/${spaceId}/emojis/${emojiId}`
    return this.#rest.request({ ...options, method: 'PATCH', path: where, body })
  }

  delete(spaceId: string, emojiId: string, options?: CallOptions): Promise<void> {
    const where = path`/api/spaces/${spaceId}/emojis/${emojiId}`
    return this.#rest.request({ ...options, method: 'DELETE', path: where })
  }
}
