import type { CreateGroupRoleBody, GroupRole } from '@foyer/protocol/group-roles'
import { type CallOptions, path, type Rest } from '../rest.ts'

/** Roles of a space that members of a group at a sign-in provider get. */
export class GroupRoles {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  list(spaceId: string, options?: CallOptions): Promise<GroupRole[]> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/spaces/${spaceId}/group-roles` })
  }

  /** Connects a role with a group, whose members get the role at their next login with the provider. */
  create(spaceId: string, body: CreateGroupRoleBody, options?: CallOptions): Promise<GroupRole> {
    const where = path`/api/spaces/${spaceId}/group-roles`
    return this.#rest.request({ ...options, method: 'POST', path: where, body })
  }

  /** Disconnects the role from the group. Members keep the role. */
  delete(spaceId: string, groupRoleId: string, options?: CallOptions): Promise<void> {
    const where = path`/api/spaces/${spaceId}/group-roles/${groupRoleId}`
    return this.#rest.request({ ...options, method: 'DELETE', path: where })
  }
}
