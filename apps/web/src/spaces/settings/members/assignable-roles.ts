import { Permission } from '@foyer/protocol/permissions'
import type { Role } from '@foyer/protocol/roles'
import { type Rights, rolesFromTop } from '#src/permissions/rights.ts'
import type { SpaceEntry } from '#src/store/state.ts'

/** Whether the viewer, by their rights, may give the role to members and take it from them. */
export function isAssignable(role: Role, rights: Rights): boolean {
  return role.id !== role.space_id && rights.may(Permission.ManageRoles) && rights.isAbove(role)
}

/** The roles that the viewer may give and take, from the highest down. */
export function assignableRoles(space: SpaceEntry, rights: Rights): Role[] {
  return rolesFromTop(space).filter((role) => isAssignable(role, rights))
}
