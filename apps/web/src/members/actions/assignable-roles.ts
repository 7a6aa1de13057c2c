import { Permission } from '@foyer/protocol/permissions'
import type { Role } from '@foyer/protocol/roles'
import { type Rights, rolesFromTop } from '#src/permissions/rights.ts'
import type { SpaceEntry } from '#src/store/state.ts'

/** Returns true if the viewer's rights allow assigning and removing the role. */
export function isAssignable(role: Role, rights: Rights): boolean {
  return role.id !== role.space_id && rights.may(Permission.ManageRoles) && rights.isAbove(role)
}

/** The roles that the viewer may assign or remove, highest first. */
export function assignableRoles(space: SpaceEntry, rights: Rights): Role[] {
  return rolesFromTop(space).filter((role) => isAssignable(role, rights))
}
