import {
  has,
  isTakenByTimeout,
  OverwriteTarget,
  Permission,
  type PermissionOverwrite,
  type PermissionSubject,
  roomPermissions,
} from './permissions.ts'
import { overwriteFields, type Right, type RightName, rights } from './rights.ts'

/** The rule that decides a permission. If it lists several roles, each role alone would lead to the same result. */
export type PermissionReason =
  | { readonly kind: 'owner' }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'frozen' }
  | { readonly kind: 'administrator'; readonly roleIds: readonly string[] }
  | { readonly kind: 'member_overwrite' }
  | { readonly kind: 'role_overwrites'; readonly roleIds: readonly string[] }
  | { readonly kind: 'everyone_overwrite' }
  | { readonly kind: 'roles'; readonly roleIds: readonly string[] }
  | { readonly kind: 'no_role' }

export interface PermissionExplanation {
  readonly allowed: boolean
  readonly reason: PermissionReason
  /** True if the permission has no effect because the member cannot view the room. False for ViewChannels itself. */
  readonly needsView: boolean
}

/**
 * Explains why a member has or lacks a permission or a capability in a room. Names the rule with the highest
 * precedence: no change to weaker rules would change the result.
 * @param overwrites overwrites of the room, in any order; at most one per target
 * @returns `allowed` equals the result of `roomRights`
 */
export function explainPermission(
  subject: PermissionSubject,
  overwrites: readonly PermissionOverwrite[],
  name: RightName,
): PermissionExplanation {
  const right = rights[name]
  const views = has(roomPermissions(subject, overwrites), Permission.ViewChannels)
  const decision =
    byMembership(subject, right) ?? byOverwrites(subject, overwrites, right) ?? byRoles(subject, right)
  return { ...decision, needsView: !views && name !== 'ViewChannels' }
}

interface Decision {
  allowed: boolean
  reason: PermissionReason
}

function byMembership(subject: PermissionSubject, { field, flag }: Right): Decision | undefined {
  const isLeft = field === 'permissions' && flag === Permission.ViewChannels
  if (subject.isFrozen === true && !isLeft) return { allowed: false, reason: { kind: 'frozen' } }
  if (subject.userId === subject.ownerId) return { allowed: true, reason: { kind: 'owner' } }
  const isTaken = field === 'capabilities' ? subject.isTimedOut === true : isTakenByTimeout(subject, flag)
  if (isTaken) return { allowed: false, reason: { kind: 'timed_out' } }
  const roleIds = rolesWith(subject, rights.Administrator)
  return roleIds.length === 0 ? undefined : { allowed: true, reason: { kind: 'administrator', roleIds } }
}

/** Decides by the overwrites. Of the three steps, the last with an effect wins; within a step, an allow beats a deny. */
function byOverwrites(
  subject: PermissionSubject,
  overwrites: readonly PermissionOverwrite[],
  right: Right,
): Decision | undefined {
  // Overwrites neither grant nor deny Administrator, and do not apply to members who have it by a role.
  if (right === rights.Administrator) return undefined
  const onRoles = overwrites.filter(({ target_type }) => target_type === OverwriteTarget.Role)
  const own = lastWord(
    overwrites.filter((overwrite) => isOwn(subject, overwrite)),
    right,
  )
  if (own !== undefined) return { allowed: own.allowed, reason: { kind: 'member_overwrite' } }
  const others = lastWord(
    onRoles.filter((overwrite) => isOfOtherRole(subject, overwrite)),
    right,
  )
  if (others !== undefined)
    return { allowed: others.allowed, reason: { kind: 'role_overwrites', roleIds: others.targetIds } }
  const everyone = lastWord(
    onRoles.filter(({ target_id }) => target_id === subject.spaceId),
    right,
  )
  return everyone && { allowed: everyone.allowed, reason: { kind: 'everyone_overwrite' } }
}

function byRoles(subject: PermissionSubject, right: Right): Decision {
  const roleIds = rolesWith(subject, right)
  if (roleIds.length === 0) return { allowed: false, reason: { kind: 'no_role' } }
  return { allowed: true, reason: { kind: 'roles', roleIds } }
}

function rolesWith({ roles }: PermissionSubject, { field, flag }: Right): string[] {
  return roles.filter((role) => has(role[field] ?? 0, flag)).map(({ id }) => id)
}

function isOwn({ userId }: PermissionSubject, { target_id, target_type }: PermissionOverwrite): boolean {
  return target_type === OverwriteTarget.Member && target_id === userId
}

function isOfOtherRole({ roles, spaceId }: PermissionSubject, { target_id }: PermissionOverwrite): boolean {
  return target_id !== spaceId && roles.some(({ id }) => id === target_id)
}

/**
 * Returns the effect of one step on the permission, and the overwrites that cause it; undefined if the step changes
 * nothing.
 */
function lastWord(step: readonly PermissionOverwrite[], { field, flag }: Right) {
  const { allow, deny } = overwriteFields[field]
  const allowing = step.filter((overwrite) => has(overwrite[allow] ?? 0, flag))
  const speaking =
    allowing.length > 0 ? allowing : step.filter((overwrite) => has(overwrite[deny] ?? 0, flag))
  if (speaking.length === 0) return undefined
  return { allowed: speaking === allowing, targetIds: speaking.map(({ target_id }) => target_id) }
}
