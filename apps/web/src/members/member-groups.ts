import type { MemberWithUser } from '@foyer/protocol/members'
import type { Role } from '@foyer/protocol/roles'

/** Members under one heading: those whose highest hoisted role it is; without a role, all others. */
export interface MemberGroup {
  readonly role: Role | null
  readonly members: readonly MemberWithUser[]
}

/** The members by their highest hoisted role, the highest first; within a group in the order in which they are given. */
export function memberGroups(members: readonly MemberWithUser[], roles: readonly Role[]): MemberGroup[] {
  const hoisted = roles
    .filter((role) => role.hoisted && role.position > 0)
    .sort((a, b) => b.position - a.position)
  const byRole = Map.groupBy(
    members,
    (member) => hoisted.find((role) => member.roles.includes(role.id)) ?? null,
  )
  return [...hoisted, null]
    .map((role) => ({ role, members: byRole.get(role) ?? [] }))
    .filter((group) => group.members.length > 0)
}
