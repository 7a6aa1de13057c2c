import type { PermissionExplanation } from '@foyer/protocol/permission-reasons'
import { OverwriteTarget, type PermissionOverwrite, roomPermissions } from '@foyer/protocol/permissions'
import type { OverwriteFlags, RightName } from '@foyer/protocol/rights'
import { overwritesOf, rolesFromTop, subjectOf } from '#src/permissions/rights.ts'
import { roleName } from '#src/roles/role-name.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { explainHere } from '../space-wide.ts'

/** The role or member that an overwrite applies to. */
export interface Target {
  readonly id: string
  /** One of `OverwriteTarget`. */
  readonly type: number
}

export function everyone(space: Pick<SpaceEntry, 'id'>): Target {
  return { id: space.id, type: OverwriteTarget.Role }
}

/**
 * Returns the targets with an overwrite in the room: always @everyone, then roles from the highest down, then members.
 * @param added a target without an overwrite, listed as well
 */
export function listTargets(space: SpaceEntry, roomId: string, added: Target | null): Target[] {
  const overwrites = overwritesOf(space, roomId)
  const others = added === null || overwrites.some(({ target_id }) => target_id === added.id) ? [] : [added]
  const listed = [
    ...overwrites.map(({ target_id, target_type }) => targetOf(target_id, target_type)),
    ...others,
  ]
  const ids = new Set(listed.map(({ id }) => id))
  const roles = rolesFromTop(space).filter(({ id }) => id !== space.id && ids.has(id))
  return [
    everyone(space),
    ...roles.map(({ id }) => targetOf(id, OverwriteTarget.Role)),
    ...listed.filter(({ type }) => type === OverwriteTarget.Member),
  ]
}

/**
 * Returns a function that explains why the target would have or lack a permission that its own overwrite leaves unset.
 * A role is explained like a member who has only this role and @everyone.
 * @param heldRoles the roles of the target, if it is a member
 */
export function explainInherited(
  space: SpaceEntry,
  roomId: string,
  { target, heldRoles = [] }: { target: Target; heldRoles?: readonly string[] | undefined },
): (name: RightName) => PermissionExplanation {
  const isMember = target.type === OverwriteTarget.Member
  const member = isMember
    ? { user_id: target.id, roles: [...heldRoles] }
    : { user_id: '', roles: [target.id] }
  const subject = subjectOf(space, member)
  const others = otherOverwrites(space, roomId, target)
  return (name) => explainHere(subject, others, name)
}

/** Returns the permissions the user would have in the room with these flags set for the target. */
export function rightsAfter(
  space: SpaceEntry,
  roomId: string,
  { target, flags }: { target: Target; flags: OverwriteFlags },
): number {
  const overwrite = { target_id: target.id, target_type: target.type, ...flags }
  const all = [...otherOverwrites(space, roomId, target), overwrite]
  return roomPermissions(subjectOf(space, space.member), all)
}

/** Returns a function that names roles, from the highest down. */
export function roleNamesIn(space: SpaceEntry): (roleIds: readonly string[]) => string[] {
  const roles = rolesFromTop(space)
  return (roleIds) => roles.filter(({ id }) => roleIds.includes(id)).map(roleName)
}

function otherOverwrites(space: SpaceEntry, roomId: string, target: Target): PermissionOverwrite[] {
  return overwritesOf(space, roomId).filter(({ target_id }) => target_id !== target.id)
}

function targetOf(id: string, type: number): Target {
  return { id, type }
}
