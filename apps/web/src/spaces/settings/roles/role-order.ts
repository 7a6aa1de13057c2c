import type { Role } from '@foyer/protocol/roles'

/** Moves roles in a list that starts with the highest and ends with @everyone, which never moves. */

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

/** The position of a role from its index and the number of roles, including @everyone. */
export function positionAt(index: number, count: number): number {
  return count - 1 - index
}

/** First and last index that a user may move roles to, given the roles below them. */
export function movableRange(roles: readonly Role[], isAbove: (role: Role) => boolean): [number, number] {
  const first = roles.findIndex((role) => isAbove(role))
  return [first === -1 ? roles.length : first, roles.length - 2]
}
