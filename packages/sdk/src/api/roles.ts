import type { CreateRoleBody, Role, UpdateRoleBody } from '@foyer/protocol/roles'
import { type CallOptions, path, type Rest } from '../rest.ts'

export class Roles {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Lists roles, beginning with @everyone. */
  list(spaceId: string, options?: CallOptions): Promise<Role[]> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/spaces/${spaceId}/roles` })
  }

  /** Creates a role at position 1, below all others except @everyone. */
  create(spaceId: string, body: CreateRoleBody, options?: CallOptions): Promise<Role> {
    return this.#rest.request({ ...options, method: 'POST', path: path`/api/spaces/${spaceId}/roles`, body })
  }

  /** Omitted fields stay unchanged; null clears a field. */
  update(spaceId: string, roleId: string, body: UpdateRoleBody, options?: CallOptions): Promise<Role> {
    return this.#rest.request({
      ...options,
      method: 'PATCH',
      path: path`/api/spaces/${spaceId}/roles/${roleId}`,
      body,
    })
  }

  delete(spaceId: string, roleId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'DELETE',
      path: path`/api/spaces/${spaceId}/roles/${roleId}`,
    })
  }

  /** Assigns a role. Repeating it has no effect. */
  assign(spaceId: string, memberId: string, roleId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'PUT',
      path: path`/api/spaces/${spaceId}/members/${memberId}/roles/${roleId}`,
    })
  }

  remove(spaceId: string, memberId: string, roleId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'DELETE',
      path: path`/api/spaces/${spaceId}/members/${memberId}/roles/${roleId}`,
    })
  }
}
