import type { ListMembersQuery, MemberWithUser } from '@foyer/protocol/members'
import { type CallOptions, path, type Rest } from '../rest.ts'

export class Members {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** By position, highest first, then by id; `after_pos` and `after_id` of the last member give the next page. */
  list(spaceId: string, query: ListMembersQuery = {}, options?: CallOptions): Promise<MemberWithUser[]> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: path`/api/spaces/${spaceId}/members`,
      query,
    })
  }

  get(spaceId: string, memberId: string, options?: CallOptions): Promise<MemberWithUser> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: path`/api/spaces/${spaceId}/members/${memberId}`,
    })
  }

  /** Leaves the space; its owner cannot. */
  leave(spaceId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'DELETE',
      path: path`/api/spaces/${spaceId}/members/@me`,
    })
  }
}
