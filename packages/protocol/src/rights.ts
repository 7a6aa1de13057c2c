import { Capability, type CapabilityName } from './capabilities.ts'
import { has, Permission, type PermissionName, type RightFlags } from './permissions.ts'

export type RightName = PermissionName | CapabilityName

/** One right: a bit of `permissions` or of `capabilities`. */
export interface Right {
  readonly field: keyof RightFlags
  readonly flag: number
}

/** All permissions and capabilities, by name. */
export const rights: Readonly<Record<RightName, Right>> = {
  ...tableOf('permissions', Permission),
  ...tableOf('capabilities', Capability),
}

/** Permissions of moderators and administrators, for which spaces can require a second factor. */
const MODERATION: readonly RightName[] = [
  'Administrator',
  'ManageMessages',
  'ManageChannels',
  'ManageRoles',
  'ManageInvites',
  'ManageSpaceEmojis',
  'ManageSpaceBuckets',
  'ManageSpaceStickers',
  'ManageBots',
  'ManageSpaceAttachments',
  'ManageSpaceWebhooks',
  'KickMembers',
  'BanMembers',
  'TimeoutMembers',
  'ManageReports',
  'ManageAutomod',
  'ManageThreads',
  'MoveMembers',
  'ManageEvents',
  'ManageNicknames',
]

/** Names of all rights, permissions first. */
export const rightNames = [...namesOf(Permission), ...namesOf(Capability)]

/** For each field of rights, the fields of an overwrite that allow and deny its bits. */
export const overwriteFields = {
  permissions: { allow: 'allow_flags', deny: 'deny_flags' },
  capabilities: { allow: 'allow_capabilities', deny: 'deny_capabilities' },
} as const

/** The rights that an overwrite allows and denies. */
export interface OverwriteFlags {
  readonly allow_flags: number
  readonly deny_flags: number
  readonly allow_capabilities: number
  readonly deny_capabilities: number
}

const flagFields = Object.values(overwriteFields).flatMap(({ allow, deny }) => [allow, deny])

/** Returns whether two overwrites allow and deny the same rights. */
export function isSameOverwrite(one: OverwriteFlags, other: OverwriteFlags): boolean {
  return flagFields.every((field) => one[field] === other[field])
}

/** A right that an action needs: bits of `Permission`, or the name of a capability. */
export type Needed = number | CapabilityName

/** Returns whether the rights include the needed one. */
export function holds({ permissions, capabilities }: RightFlags, needed: Needed): boolean {
  return typeof needed === 'number' ? has(permissions, needed) : has(capabilities, Capability[needed])
}

export function hasRight(flags: RightFlags, name: RightName): boolean {
  const { field, flag } = rights[name]
  return has(flags[field], flag)
}

/** Returns the flags with the right added or removed. */
export function withRight(flags: RightFlags, name: RightName, isOn: boolean): RightFlags {
  const { field, flag } = rights[name]
  return { ...flags, [field]: isOn ? flags[field] | flag : flags[field] & ~flag }
}

export function hasModeration(flags: RightFlags): boolean {
  return MODERATION.some((name) => hasRight(flags, name))
}

export function withoutModeration(flags: RightFlags): RightFlags {
  return MODERATION.reduce((left, name) => withRight(left, name, false), flags)
}

function tableOf<Name extends RightName>(
  field: keyof RightFlags,
  table: Readonly<Record<Name, number>>,
): Record<Name, Right> {
  const entries = namesOf(table).map((name) => [name, { field, flag: table[name] }])
  return Object.fromEntries(entries)
}

function namesOf<Name extends RightName>(table: Readonly<Record<Name, number>>): Name[] {
  return Object.keys(table).filter((name): name is Name => name in table)
}
