import type {
  CreateSpaceBody,
  CreateSpaceResult,
  Space,
  TransferSpaceBody,
  UpdateSpaceBody,
} from '@foyer/protocol/spaces'
import { type WithImages, withImages } from '../image-form.ts'
import { type CallOptions, path, type Rest } from '../rest.ts'

export type UpdateSpaceFields = WithImages<UpdateSpaceBody, 'icon' | 'banner'>

export class Spaces {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  create(body: CreateSpaceBody, options?: CallOptions): Promise<CreateSpaceResult> {
    return this.#rest.request({ ...options, method: 'POST', path: '/api/spaces', body })
  }

  get(spaceId: string, options?: CallOptions): Promise<Space> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/spaces/${spaceId}` })
  }

  /**
   * Omitted fields stay unchanged; null clears a field. A new icon or banner is a PNG, JPEG, WebP, GIF or AVIF of up to
   * 10 MB, and requires that the space has storage. For the owner and administrators.
   */
  update(spaceId: string, fields: UpdateSpaceFields, options?: CallOptions): Promise<Space> {
    const body = withImages(fields, ['icon', 'banner'])
    return this.#rest.request({ ...options, method: 'PATCH', path: path`/api/spaces/${spaceId}`, body })
  }

  /** Deletes the space. Only for the owner. */
  delete(spaceId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: path`/api/spaces/${spaceId}` })
  }

  /** Makes another member the owner. Only for the current owner. */
  transfer(spaceId: string, body: TransferSpaceBody, options?: CallOptions): Promise<Space> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/spaces/${spaceId}/transfer`,
      body,
    })
  }
}
