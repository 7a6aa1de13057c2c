import { has } from '@foyer/protocol/permissions'
import type { RoomOverwrite } from '@foyer/protocol/roles'

export type OverwriteFlags = Readonly<Pick<RoomOverwrite, 'allow_flags' | 'deny_flags'>>

/** What an overwrite makes of one permission. */
export type Choice = 'deny' | 'inherit' | 'allow'

/** By permission, what was chosen and not saved. All else follows what others change meanwhile. */
export type OverwriteDraft = Readonly<Record<number, Choice>>

export const emptyDraft: OverwriteDraft = {}

/** Of a target that nothing is set for. */
export const noFlags: OverwriteFlags = { allow_flags: 0, deny_flags: 0 }

const choices = ['deny', 'inherit', 'allow'] as const

export function choiceOf({ allow_flags, deny_flags }: OverwriteFlags, flag: number): Choice {
  // Both can be set: then the permission is denied and allowed again.
  if (has(allow_flags, flag)) return 'allow'
  return has(deny_flags, flag) ? 'deny' : 'inherit'
}

/** The flags with all that was chosen. */
export function withDraft(saved: OverwriteFlags, draft: OverwriteDraft): OverwriteFlags {
  return Object.entries(draft).reduce((flags, [flag, choice]) => chosen(flags, Number(flag), choice), saved)
}

export function isSame(one: OverwriteFlags, other: OverwriteFlags): boolean {
  return one.allow_flags === other.allow_flags && one.deny_flags === other.deny_flags
}

/**
 * What somebody may choose for a permission: what they do not have in the room they cannot newly allow or deny, but
 * keep and clear.
 * @param held the permissions that they have in the room
 */
export function choicesFor(saved: OverwriteFlags, flag: number, held: number): readonly Choice[] {
  const isSaved = { deny: has(saved.deny_flags, flag), inherit: true, allow: has(saved.allow_flags, flag) }
  return choices.filter((choice) => has(held, flag) || isSaved[choice])
}

function chosen({ allow_flags, deny_flags }: OverwriteFlags, flag: number, choice: Choice): OverwriteFlags {
  return {
    allow_flags: choice === 'allow' ? allow_flags | flag : allow_flags & ~flag,
    deny_flags: choice === 'deny' ? deny_flags | flag : deny_flags & ~flag,
  }
}
