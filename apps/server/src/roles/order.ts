import type { Role } from '@foyer/protocol/roles'

/** Pure functions: each takes a space's roles, lowest first, and returns them after a change. */

/** A role without its times, which the database sets. */
export type RoleFields = Omit<Role, 'created_at' | 'updated_at'>

/** Returns the roles with the changed or new role at its position. A position beyond the end makes it the highest role. */
export function withRole(roles: readonly RoleFields[], changed: RoleFields): RoleFields[] {
  const others = roles.filter(({ id }) => id !== changed.id)
  return renumbered(others.toSpliced(changed.position, 0, changed))
}

export function withoutRole(roles: readonly RoleFields[], roleId: string): RoleFields[] {
  return renumbered(roles.filter(({ id }) => id !== roleId))
}

/** Returns the roles that are new or changed. */
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
  'capabilities',
  'color_from',
  'color_via',
  'color_to',
  'hoisted',
  'position',
] as const

function renumbered(roles: readonly RoleFields[]): RoleFields[] {
  return roles.map((role, position) => ({ ...role, position }))
}
