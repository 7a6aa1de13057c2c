import { explainPermission, type PermissionExplanation } from '@foyer/protocol/permission-reasons'
import type { PermissionOverwrite, PermissionSubject } from '@foyer/protocol/permissions'
import type { RightName } from '@foyer/protocol/rights'
import { RoomType } from '@foyer/protocol/rooms'

/** Permissions for the whole space, which the server never checks per room. */
const SPACE_WIDE: ReadonlySet<RightName> = new Set<RightName>([
  'Administrator',
  'ManageRoles',
  'ViewAuditLog',
  'ChangeNickname',
  'ManageNicknames',
  'TimeoutMembers',
  'KickMembers',
  'BanMembers',
  'MoveMembers',
  'ManageInvites',
  'ManageBots',
  'ManageSpaceEmojis',
  'ManageSpaceStickers',
  'ManageSpaceAttachments',
  'ManageSpaceBuckets',
])

const OF_VOICE: ReadonlySet<RightName> = new Set<RightName>([
  'JoinVoice',
  'SpeakInVoice',
  'UseVideo',
  'ShareScreen',
])
/** Permissions that apply to a category, which has no messages or voice. */
const OF_CATEGORIES: ReadonlySet<RightName> = new Set<RightName>(['ViewChannels', 'ManageChannels'])

/** Returns true if a room of this type can allow or deny the permission. */
export function countsIn(type: number, name: RightName): boolean {
  if (isSpaceWide(name)) return false
  if (type === RoomType.Category) return OF_CATEGORIES.has(name)
  return type === RoomType.Voice || !OF_VOICE.has(name)
}

export function isSpaceWide(name: RightName): boolean {
  return SPACE_WIDE.has(name)
}

/** Explains a permission in a room. The room's overwrites do not affect permissions for the whole space. */
export function explainHere(
  subject: PermissionSubject,
  overwrites: readonly PermissionOverwrite[],
  name: RightName,
): PermissionExplanation {
  if (!isSpaceWide(name)) return explainPermission(subject, overwrites, name)
  return { ...explainPermission(subject, [], name), needsView: false }
}
