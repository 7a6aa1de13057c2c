import { isBelow } from '@foyer/protocol/hierarchy'
import type { Member } from '@foyer/protocol/members'
import { Permission } from '@foyer/protocol/permissions'
import { holds } from '@foyer/protocol/rights'
import type { Provider } from '#src/kernel/oidc/provider.ts'
import { rightsIn, type SpaceSnapshot, subjectOf } from '#src/spaces/snapshots.ts'

/** Returns whether spaces may give roles to the group. */
export function mayName(provider: Provider | undefined, group: string): boolean {
  return provider !== undefined && (provider.settings.spaceGroups?.includes(group) ?? true)
}

/** Returns whether the member may give the role now, by the rule for giving it by hand. */
export function mayGive(snapshot: SpaceSnapshot, member: Member | undefined, roleId: string): boolean {
  const role = snapshot.roles.get(roleId)
  if (member === undefined || role === undefined || roleId === snapshot.space.id) return false
  return (
    holds(rightsIn(snapshot, member), Permission.ManageRoles) &&
    isBelow(subjectOf(snapshot, member), role.position)
  )
}
