import { explainPermission, type PermissionExplanation } from '@foyer/protocol/permission-reasons'
import {
  has,
  Permission,
  type PermissionOverwrite,
  type PermissionSubject,
} from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'

/** Permissions about the space as a whole: the server asks no room about them. */
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
/** A category has neither messages nor voices. */
const OF_CATEGORIES = Permission.ViewChannels | Permission.ManageChannels

/** Tells whether a room of this type can give or take the permission. */
export function countsIn(type: number, flag: number): boolean {
  if (isSpaceWide(flag)) return false
  if (type === RoomType.Category) return has(OF_CATEGORIES, flag)
  return type === RoomType.Voice || !has(OF_VOICE, flag)
}

export function isSpaceWide(flag: number): boolean {
  return has(SPACE_WIDE, flag)
}

/** Why somebody may or may not do something: the room's overwrites have no say in what is about the whole space. */
export function explainHere(
  subject: PermissionSubject,
  overwrites: readonly PermissionOverwrite[],
  flag: number,
): PermissionExplanation {
  if (!isSpaceWide(flag)) return explainPermission(subject, overwrites, flag)
  return { ...explainPermission(subject, [], flag), needsView: false }
}
