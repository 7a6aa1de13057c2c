/** Rights that `Permission` does not have. The specification fixes that bit field, so new rights are added here. */
export const Capability = {
  KickMembers: 1 << 0,
  BanMembers: 1 << 1,
  TimeoutMembers: 1 << 2,
  ViewAuditLog: 1 << 3,
  ManageReports: 1 << 4,
  ManageAutomod: 1 << 5,
  BypassSlowMode: 1 << 6,
  MentionEveryone: 1 << 7,
  AttachFiles: 1 << 8,
  AddReactions: 1 << 9,
  EmbedLinks: 1 << 10,
  CreateThreads: 1 << 11,
  ManageThreads: 1 << 12,
  UseVideo: 1 << 13,
  ShareScreen: 1 << 14,
  MoveMembers: 1 << 15,
  PrioritySpeaker: 1 << 16,
  CreatePolls: 1 << 17,
  ManageEvents: 1 << 18,
  ManageNicknames: 1 << 19,
} as const

export type CapabilityName = keyof typeof Capability

export const ALL_CAPABILITIES = Object.values(Capability).reduce((all, bit) => all | bit, 0)

/** Capabilities of @everyone in a new space: the permissions that every member had before capabilities existed. */
export const DEFAULT_CAPABILITIES =
  Capability.AttachFiles |
  Capability.AddReactions |
  Capability.EmbedLinks |
  Capability.CreateThreads |
  Capability.UseVideo |
  Capability.ShareScreen |
  Capability.CreatePolls

/** Capabilities of every member of a conversation, which has no roles. */
export const CONVERSATION_CAPABILITIES = DEFAULT_CAPABILITIES | Capability.MentionEveryone

/** Returns whether `flags` has only bits of `Capability`. */
export function areKnownCapabilities(flags: number): boolean {
  return Number.isInteger(flags) && flags >= 0 && flags <= ALL_CAPABILITIES
}
