import { explainPermission, type PermissionExplanation } from '@foyer/protocol/permission-reasons'
import {
  has,
  Permission,
  type PermissionOverwrite,
  type PermissionSubject,
} from '@foyer/protocol/permissions'

/** What is about the space as a whole: the server asks no room about it. */
const SPACE_WIDE =
  Permission.ManageRoles |
  Permission.ChangeNickname |
  Permission.ManageInvites |
  Permission.ManageBots |
  Permission.ManageSpaceEmojis |
  Permission.ManageSpaceStickers |
  Permission.ManageSpaceAttachments |
  Permission.ManageSpaceBuckets

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
