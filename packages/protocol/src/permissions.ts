import { ALL_CAPABILITIES } from './capabilities.ts'

/** The permission table of the specification, section 2.5. */
export const Permission = {
  Administrator: 1 << 0,
  ViewChannels: 1 << 1,
  SendMessages: 1 << 2,
  ManageMessages: 1 << 3,
  ManageChannels: 1 << 4,
  ChangeNickname: 1 << 5,
  JoinVoice: 1 << 6,
  SpeakInVoice: 1 << 7,
  ManageRoles: 1 << 8,
  ManageInvites: 1 << 9,
  CreateInvites: 1 << 10,
  ManageSpaceEmojis: 1 << 11,
  ManageSpaceBuckets: 1 << 12,
  ManageSpaceStickers: 1 << 13,
  ManageBots: 1 << 14,
  ManageSpaceAttachments: 1 << 15,
  ManageSpaceWebhooks: 1 << 16,
  PinMessages: 1 << 17,
} as const

export type PermissionName = keyof typeof Permission

export const ALL_PERMISSIONS = Object.values(Permission).reduce((all, bit) => all | bit, 0)

/** Permissions of @everyone in a new space: view, talk and invite. */
export const DEFAULT_PERMISSIONS =
  Permission.ViewChannels |
  Permission.SendMessages |
  Permission.ChangeNickname |
  Permission.JoinVoice |
  Permission.SpeakInVoice |
  Permission.CreateInvites

export const OverwriteTarget = { Role: 0, Member: 1 } as const

export interface PermissionRole {
  readonly id: string
  readonly permissions: number
  /** Omitted means 0. */
  readonly capabilities?: number
}

export interface PermissionOverwrite {
  readonly target_id: string
  readonly target_type: number
  readonly allow_flags: number
  readonly deny_flags: number
  /** Omitted means 0. */
  readonly allow_capabilities?: number
  readonly deny_capabilities?: number
}

/** Permissions and capabilities of a member, or those that a role or an overwrite names. */
export interface RightFlags {
  /** Bits of `Permission`. */
  readonly permissions: number
  /** Bits of `Capability`. */
  readonly capabilities: number
}

export const noRights: RightFlags = { permissions: 0, capabilities: 0 }
export const allRights: RightFlags = { permissions: ALL_PERMISSIONS, capabilities: ALL_CAPABILITIES }

/** A member as the permission rules see it. `roles` are all the roles that the member has, including @everyone. */
export interface PermissionSubject {
  readonly userId: string
  readonly ownerId: string
  /** Equals the id of the role @everyone. */
  readonly spaceId: string
  readonly roles: readonly PermissionRole[]
  /** True during a timeout. */
  readonly isTimedOut?: boolean
  /** True while operators freeze the space. */
  readonly isFrozen?: boolean
}

/**
 * Returns a member's rights in the space, before the overwrites of a room.
 * Source: specification, section 5, "Permission evaluation", rules 1, 3 and 4. Capabilities follow the same rules.
 */
export function spaceRights(subject: PermissionSubject): RightFlags {
  return whileFrozen(subject, duringTimeout(subject, rightsByRoles(subject)))
}

function rightsByRoles({ userId, ownerId, roles }: PermissionSubject): RightFlags {
  if (userId === ownerId) return allRights
  let permissions = 0
  let capabilities = 0
  for (const role of roles) {
    permissions |= role.permissions
    capabilities |= role.capabilities ?? 0
  }
  return has(permissions, Permission.Administrator) ? allRights : { permissions, capabilities }
}

/**
 * Returns a member's rights in one room. Source: specification, section 5, "Permission evaluation", rules 2 to 4.
 * Capabilities follow the same rules.
 * @param overwrites overwrites of the room, in any order; at most one per target
 * @returns Administrator only if a role grants it
 */
export function roomRights(
  subject: PermissionSubject,
  overwrites: readonly PermissionOverwrite[],
): RightFlags {
  return whileFrozen(subject, duringTimeout(subject, rightsByOverwrites(subject, overwrites)))
}

function rightsByOverwrites(
  subject: PermissionSubject,
  overwrites: readonly PermissionOverwrite[],
): RightFlags {
  const base = rightsByRoles(subject)
  if (overwrites.length === 0 || base === allRights) return base
  let { permissions, capabilities } = base
  for (const step of overwriteSteps(subject, overwrites)) {
    permissions = (permissions & ~step.deny) | (step.allow & ~Permission.Administrator)
    capabilities = (capabilities & ~step.denyCapabilities) | step.allowCapabilities
  }
  return { permissions, capabilities }
}

/** The permissions that remain in a timeout: reading and listening. */
const TIMED_OUT = Permission.ViewChannels | Permission.JoinVoice

/** Returns the rights of a member, reduced during a timeout. The owner cannot be timed out. */
function duringTimeout({ isTimedOut, userId, ownerId }: PermissionSubject, rights: RightFlags): RightFlags {
  if (isTimedOut !== true || userId === ownerId) return rights
  return { permissions: rights.permissions & TIMED_OUT, capabilities: 0 }
}

/** Returns the rights in a space. While it is frozen, everyone can only read, including its owner. */
function whileFrozen({ isFrozen }: PermissionSubject, rights: RightFlags): RightFlags {
  if (isFrozen !== true) return rights
  return { permissions: rights.permissions & Permission.ViewChannels, capabilities: 0 }
}

/** Returns true if a timeout removes the permission. */
export function isTakenByTimeout(
  { isTimedOut, userId, ownerId }: PermissionSubject,
  permission: number,
): boolean {
  return isTimedOut === true && userId !== ownerId && !has(TIMED_OUT, permission)
}

/** @returns the `permissions` of `spaceRights` */
export function spacePermissions(subject: PermissionSubject): number {
  return spaceRights(subject).permissions
}

/** @returns the `permissions` of `roomRights` */
export function roomPermissions(
  subject: PermissionSubject,
  overwrites: readonly PermissionOverwrite[],
): number {
  return roomRights(subject, overwrites).permissions
}

/** Returns whether `flags` has every bit of `wanted`. */
export function has(flags: number, wanted: number): boolean {
  return (flags & wanted) === wanted
}

/** Returns whether `flags` has only bits of the permission table. */
export function areKnownFlags(flags: number): boolean {
  return Number.isInteger(flags) && flags >= 0 && flags <= ALL_PERMISSIONS
}

interface Step {
  allow: number
  deny: number
  allowCapabilities: number
  denyCapabilities: number
}

/** The three steps in order: @everyone, the member's other roles combined, the member itself. */
function overwriteSteps(subject: PermissionSubject, overwrites: readonly PermissionOverwrite[]): Step[] {
  const [everyone, roles, member] = [emptyStep(), emptyStep(), emptyStep()]
  for (const overwrite of overwrites) {
    const step = stepOf(subject, overwrite, { everyone, roles, member })
    if (step === undefined) continue
    step.allow |= overwrite.allow_flags
    step.deny |= overwrite.deny_flags
    step.allowCapabilities |= overwrite.allow_capabilities ?? 0
    step.denyCapabilities |= overwrite.deny_capabilities ?? 0
  }
  return [everyone, roles, member]
}

function emptyStep(): Step {
  return { allow: 0, deny: 0, allowCapabilities: 0, denyCapabilities: 0 }
}

function stepOf(
  subject: PermissionSubject,
  { target_id, target_type }: PermissionOverwrite,
  steps: { everyone: Step; roles: Step; member: Step },
): Step | undefined {
  if (target_type === OverwriteTarget.Member) return target_id === subject.userId ? steps.member : undefined
  if (target_id === subject.spaceId) return steps.everyone
  return subject.roles.some((role) => role.id === target_id) ? steps.roles : undefined
}
