import type { Role } from '@foyer/protocol/roles'

/** Moving roles in a list that goes from the highest down and ends with @everyone, which never moves. */

/** The ids with one of them at another place. */
export function moved(ids: readonly string[], id: string, to: number): string[] {
  return ids.filter((other) => other !== id).toSpliced(to, 0, id)
}

/** The roles in the order of these ids; as they are given when the ids are not all of theirs. */
export function arranged(roles: readonly Role[], ids: readonly string[]): readonly Role[] {
  const byId = new Map(roles.map((role) => [role.id, role]))
  const known = ids.map((id) => byId.get(id)).filter((role) => role !== undefined)
  return known.length === roles.length ? known : roles
}

/** The position of the role at a place of a list of so many, @everyone counted. */
export function positionAt(index: number, count: number): number {
  return count - 1 - index
}

/** The places that somebody may move roles to, who stands above these: the first and the last. */
export function movableRange(roles: readonly Role[], isAbove: (role: Role) => boolean): [number, number] {
  const first = roles.findIndex((role) => isAbove(role))
  return [first === -1 ? roles.length : first, roles.length - 2]
}
