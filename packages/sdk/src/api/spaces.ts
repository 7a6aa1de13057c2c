import type { CreateSpaceBody, CreateSpaceResult, Space } from '@foyer/protocol/spaces'
import { type CallOptions, path, type Rest } from '../rest.ts'

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
}
