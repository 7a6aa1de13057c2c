import type { CreateInviteBody, InviteCode, InvitePreview } from '@foyer/protocol/invites'
import type { Space } from '@foyer/protocol/spaces'
import { type CallOptions, path, type Rest } from '../rest.ts'

export class Invites {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  create(
    spaceId: string,
    roomId: string,
    body: CreateInviteBody = {},
    options?: CallOptions,
  ): Promise<InviteCode> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/spaces/${spaceId}/rooms/${roomId}/invites`,
      body,
    })
  }

  /** Lists the valid invites of the space, newest first. */
  list(spaceId: string, options?: CallOptions): Promise<InviteCode[]> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/spaces/${spaceId}/invites` })
  }

  revoke(spaceId: string, inviteId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'DELETE',
      path: path`/api/spaces/${spaceId}/invites/${inviteId}`,
    })
  }

  /** Returns the public part of an invite; needs no account. */
  get(code: string, options?: CallOptions): Promise<InvitePreview> {
    return this.#rest.request({
      ...options,
      method: 'GET',
      path: path`/api/invites/${code}`,
      anonymous: true,
    })
  }

  /** Joins the space of an invite. Repeating it has no effect. */
  join(code: string, options?: CallOptions): Promise<Space> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/invites/${code}`,
      idempotent: true,
    })
  }
}
