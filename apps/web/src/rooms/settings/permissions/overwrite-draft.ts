import { has } from '@foyer/protocol/permissions'
import type { RoomOverwrite } from '@foyer/protocol/roles'

export type OverwriteFlags = Readonly<Pick<RoomOverwrite, 'allow_flags' | 'deny_flags'>>

/** The state of one permission in an overwrite. */
export type Choice = 'deny' | 'inherit' | 'allow'

/** Unsaved choices by permission. The other permissions follow changes by other members. */
export type OverwriteDraft = Readonly<Record<number, Choice>>

export const emptyDraft: OverwriteDraft = {}

/** Flags of a target without an overwrite. */
export const noFlags: OverwriteFlags = { allow_flags: 0, deny_flags: 0 }

const choices = ['deny', 'inherit', 'allow'] as const

export function choiceOf({ allow_flags, deny_flags }: OverwriteFlags, flag: number): Choice {
  // Both can be set. Then allowing wins.
  if (has(allow_flags, flag)) return 'allow'
  return has(deny_flags, flag) ? 'deny' : 'inherit'
}

/** Returns the saved flags with the unsaved choices applied. */
export function withDraft(saved: OverwriteFlags, draft: OverwriteDraft): OverwriteFlags {
  return Object.entries(draft).reduce((flags, [flag, choice]) => chosen(flags, Number(flag), choice), saved)
}

export function isSame(one: OverwriteFlags, other: OverwriteFlags): boolean {
  return one.allow_flags === other.allow_flags && one.deny_flags === other.deny_flags
}

/**
 * Returns the choices a user may make for a permission. A permission they lack in the room can be kept or cleared, but
 * not newly allowed or denied.
 * @param held the permissions the user has in the room
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
