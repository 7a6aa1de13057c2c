import { Permission } from '@foyer/protocol/permissions'
import type { Rights } from '#src/permissions/rights.ts'

/** Permissions to act on members. Each one opens the list of members. */
const moderation = ['TimeoutMembers', 'KickMembers', 'BanMembers', 'ManageNicknames'] as const

/** The sections of the space settings in order, with the rights that open them. */
const sections = {
  overview: (rights) => rights.isAdministrator,
  roles: (rights) => rights.may(Permission.ManageRoles),
  groups: (rights) => rights.may(Permission.ManageRoles),
  members: (rights) =>
    rights.may(Permission.ManageRoles) || moderation.some((capability) => rights.may(capability)),
  emojis: (rights) => rights.may(Permission.ManageSpaceEmojis),
  stickers: (rights) => rights.may(Permission.ManageSpaceStickers),
  storage: (rights) => rights.may(Permission.ManageSpaceBuckets),
  files: (rights) => rights.may(Permission.ManageSpaceAttachments),
  invites: (rights) => rights.may(Permission.ManageInvites),
  webhooks: (rights) => rights.may(Permission.ManageSpaceWebhooks),
  bots: (rights) => rights.may(Permission.ManageBots),
  door: (rights) => rights.may('KickMembers'),
  reports: (rights) => rights.may('ManageReports'),
  bans: (rights) => rights.may('BanMembers'),
  automod: (rights) => rights.may('ManageAutomod'),
  'audit-log': (rights) => rights.may('ViewAuditLog'),
} satisfies Record<string, (rights: Rights) => boolean>

export type SpaceSectionId = keyof typeof sections

export function isOpen(id: SpaceSectionId, rights: Rights): boolean {
  return sections[id](rights)
}

/** Returns true if these rights open at least one section. */
export function hasSettings(rights: Rights): boolean {
  return Object.values(sections).some((isOpenTo) => isOpenTo(rights))
}
