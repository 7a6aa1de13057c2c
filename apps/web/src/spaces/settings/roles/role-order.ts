import type { Role } from '@foyer/protocol/roles'

// The lists of roles start with the highest role and end with @everyone, which never moves.

/** Returns the ids with the given id moved to another index. */
export function moved(ids: readonly string[], id: string, to: number): string[] {
  return ids.filter((other) => other !== id).toSpliced(to, 0, id)
}

/** Returns the roles in the order of the ids; unchanged if the ids do not cover all roles. */
export function arranged(roles: readonly Role[], ids: readonly string[]): readonly Role[] {
  const byId = new Map(roles.map((role) => [role.id, role]))
  const known = ids.map((id) => byId.get(id)).filter((role) => role !== undefined)
  return known.length === roles.length ? known : roles
}

/** Returns the position of a role, given its index and the number of roles including @everyone. */
export function positionAt(index: number, count: number): number {
  return count - 1 - index
}

/**
 * Returns the first and last index that roles can be moved to.
 * @param isAbove returns true for roles below the user's highest role
 */
export function movableRange(roles: readonly Role[], isAbove: (role: Role) => boolean): [number, number] {
  const first = roles.findIndex((role) => isAbove(role))
  return [first === -1 ? roles.length : first, roles.length - 2]
}
