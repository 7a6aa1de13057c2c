import type { Role } from '@foyer/protocol/roles'

/** What becomes of a space's roles, given and answered from @everyone up, when one of them changes: pure. */

/** What is decided about a role. Its times are the database's. */
export type RoleFields = Omit<Role, 'created_at' | 'updated_at'>

/** The roles with the changed or new one at its position; past the highest that is the highest. */
export function withRole(roles: readonly RoleFields[], changed: RoleFields): RoleFields[] {
  const others = roles.filter(({ id }) => id !== changed.id)
  return renumbered(others.toSpliced(changed.position, 0, changed))
}

export function withoutRole(roles: readonly RoleFields[], roleId: string): RoleFields[] {
  return renumbered(roles.filter(({ id }) => id !== roleId))
}

/** Those of the roles that are new or not as they were. */
export function changedRoles(
  before: ReadonlyMap<string, RoleFields>,
  after: readonly RoleFields[],
): RoleFields[] {
  return after.filter((role) => {
    const old = before.get(role.id)
    return old === undefined || changeable.some((field) => old[field] !== role[field])
  })
}

const changeable = [
  'name',
  'permissions',
  'color_from',
  'color_via',
  'color_to',
  'hoisted',
  'position',
] as const

function renumbered(roles: readonly RoleFields[]): RoleFields[] {
  return roles.map((role, position) => ({ ...role, position }))
}
