import type { SpaceSticker, UpdateStickerBody } from '@foyer/protocol/stickers'
import { type CallOptions, path, type Rest } from '../rest.ts'

export class Stickers {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  list(spaceId: string, options?: CallOptions): Promise<SpaceSticker[]> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/spaces/${spaceId}/stickers` })
  }

  /** Adds a sticker. Needs ManageSpaceStickers. The image is a PNG, JPEG, WebP, GIF or AVIF, and may be animated. */
  create(
    spaceId: string,
    { name, image }: { name: string; image: Blob },
    options?: CallOptions,
  ): Promise<SpaceSticker> {
    const body = new FormData()
    body.set('name', name)
    body.set('image', image, image instanceof File ? image.name : name)
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/spaces/${spaceId}/stickers`,
      body,
    })
  }

  update(
    spaceId: string,
    stickerId: string,
    body: UpdateStickerBody,
    options?: CallOptions,
  ): Promise<SpaceSticker> {
    const where = path`/api/spaces/${spaceId}/stickers/${stickerId}`
    return this.#rest.request({ ...options, method: 'PATCH', path: where, body })
  }

  delete(spaceId: string, stickerId: string, options?: CallOptions): Promise<void> {
    const where = path`/api/spaces/${spaceId}/stickers/${stickerId}`
    return this.#rest.request({ ...options, method: 'DELETE', path: where })
  }
}
