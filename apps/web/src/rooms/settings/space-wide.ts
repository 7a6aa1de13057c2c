import { explainPermission, type PermissionExplanation } from '@foyer/protocol/permission-reasons'
import {
  has,
  Permission,
  type PermissionOverwrite,
  type PermissionSubject,
} from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'

/** Permissions for the whole space, which the server never checks per room. */
const SPACE_WIDE =
  Permission.Administrator |
  Permission.ManageRoles |
  Permission.ChangeNickname |
  Permission.ManageInvites |
  Permission.ManageBots |
  Permission.ManageSpaceEmojis |
  Permission.ManageSpaceStickers |
  Permission.ManageSpaceAttachments |
  Permission.ManageSpaceBuckets

const OF_VOICE = Permission.JoinVoice | Permission.SpeakInVoice
/** Permissions that apply to a category, which has no messages or voice. */
const OF_CATEGORIES = Permission.ViewChannels | Permission.ManageChannels

/** Returns true if a room of this type can allow or deny the permission. */
export function countsIn(type: number, flag: number): boolean {
  if (isSpaceWide(flag)) return false
  if (type === RoomType.Category) return has(OF_CATEGORIES, flag)
  return type === RoomType.Voice || !has(OF_VOICE, flag)
}

export function isSpaceWide(flag: number): boolean {
  return has(SPACE_WIDE, flag)
}

/** Explains a permission in a room. The room's overwrites do not affect permissions for the whole space. */
export function explainHere(
  subject: PermissionSubject,
  overwrites: readonly PermissionOverwrite[],
  flag: number,
): PermissionExplanation {
  if (!isSpaceWide(flag)) return explainPermission(subject, overwrites, flag)
  return { ...explainPermission(subject, [], flag), needsView: false }
}
