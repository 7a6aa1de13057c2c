import { has, type RightFlags } from '@foyer/protocol/permissions'
import {
  hasRight,
  type OverwriteFlags,
  overwriteFields,
  type RightName,
  rightNames,
  rights,
} from '@foyer/protocol/rights'

/** The state of one permission in an overwrite. */
export type Choice = 'deny' | 'inherit' | 'allow'

/** Unsaved choices by permission. The other permissions follow changes by other members. */
export type OverwriteDraft = Readonly<Partial<Record<RightName, Choice>>>

export const emptyDraft: OverwriteDraft = {}

/** Flags of a target without an overwrite. */
export const noFlags: OverwriteFlags = {
  allow_flags: 0,
  deny_flags: 0,
  allow_capabilities: 0,
  deny_capabilities: 0,
}

const choices = ['deny', 'inherit', 'allow'] as const

export function choiceOf(flags: OverwriteFlags, name: RightName): Choice {
  // An overwrite can have both flags. Then `allow` wins.
  if (isSet(flags, name, 'allow')) return 'allow'
  return isSet(flags, name, 'deny') ? 'deny' : 'inherit'
}

/** Returns the saved flags with the unsaved choices applied. */
export function withDraft(saved: OverwriteFlags, draft: OverwriteDraft): OverwriteFlags {
  return rightNames.reduce((flags, name) => {
    const choice = draft[name]
    return choice === undefined ? flags : chosen(flags, name, choice)
  }, flagsOf(saved))
}

/**
 * Returns the choices a user may make for a permission. A permission they lack in the room can be kept or cleared, but
 * not newly allowed or denied.
 * @param held the permissions the user has in the room
 */
export function choicesFor(saved: OverwriteFlags, name: RightName, held: RightFlags): readonly Choice[] {
  return choices.filter(
    (choice) => choice === 'inherit' || hasRight(held, name) || isSet(saved, name, choice),
  )
}

function flagsOf({ allow_flags, deny_flags, allow_capabilities, deny_capabilities }: OverwriteFlags) {
  return { allow_flags, deny_flags, allow_capabilities, deny_capabilities }
}

function isSet(flags: OverwriteFlags, name: RightName, choice: 'allow' | 'deny'): boolean {
  const { field, flag } = rights[name]
  return has(flags[overwriteFields[field][choice]], flag)
}

function chosen(flags: OverwriteFlags, name: RightName, choice: Choice): OverwriteFlags {
  const { field, flag } = rights[name]
  const { allow, deny } = overwriteFields[field]
  return {
    ...flags,
    [allow]: choice === 'allow' ? flags[allow] | flag : flags[allow] & ~flag,
    [deny]: choice === 'deny' ? flags[deny] | flag : flags[deny] & ~flag,
  }
}
