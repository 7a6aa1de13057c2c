import type { Ban, BanBody, ListBansQuery } from '@foyer/protocol/bans'
import { type CallOptions, path, type Rest } from '../rest.ts'

/** Bans of a space, for members with BanMembers. */
export class Bans {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Sorted by user id. For the next page, pass the last user's id as `after`. */
  list(spaceId: string, query: ListBansQuery = {}, options?: CallOptions): Promise<Ban[]> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/spaces/${spaceId}/bans`, query })
  }

  /** Bans a user, and removes them from the space if they are a member. */
  create(spaceId: string, userId: string, body: BanBody = {}, options?: CallOptions): Promise<Ban> {
    return this.#rest.request({
      ...options,
      method: 'PUT',
      path: path`/api/spaces/${spaceId}/bans/${userId}`,
      body,
    })
  }

  delete(spaceId: string, userId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'DELETE',
      path: path`/api/spaces/${spaceId}/bans/${userId}`,
    })
  }
}
