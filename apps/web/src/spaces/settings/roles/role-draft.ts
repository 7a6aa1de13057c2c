import type { CreateRoleBody, Role, UpdateRoleBody } from '@foyer/protocol/roles'
import { colorNumber, colorsOf } from '#src/roles/role-color.ts'

/** What was changed of a role and not saved. All else follows what others change meanwhile. */
export interface RoleDraft {
  readonly name?: string
  readonly hoisted?: boolean
  /** From none to three, as CSS has them. */
  readonly colors?: readonly string[]
  /** Permissions to add, and to take away. */
  readonly granted: number
  readonly withdrawn: number
}

/** A role as a form has it. */
export interface RoleValues {
  readonly name: string
  readonly hoisted: boolean
  readonly colors: readonly string[]
  readonly permissions: number
}

export const emptyDraft: RoleDraft = { granted: 0, withdrawn: 0 }

/** What a role that does not exist yet begins with. */
export const newRoleValues: RoleValues = { name: '', hoisted: false, colors: [], permissions: 0 }

export function valuesOf(role: Role): RoleValues {
  return { name: role.name, hoisted: role.hoisted, colors: colorsOf(role), permissions: role.permissions }
}

export function withDraft(saved: RoleValues, draft: RoleDraft): RoleValues {
  return {
    name: draft.name ?? saved.name,
    hoisted: draft.hoisted ?? saved.hoisted,
    colors: draft.colors ?? saved.colors,
    permissions: (saved.permissions | draft.granted) & ~draft.withdrawn,
  }
}

export function withPermission(draft: RoleDraft, flag: number, isOn: boolean): RoleDraft {
  const granted = isOn ? draft.granted | flag : draft.granted & ~flag
  const withdrawn = isOn ? draft.withdrawn & ~flag : draft.withdrawn | flag
  return { ...draft, granted, withdrawn }
}

/** What to send so that the role becomes what the draft says; nothing in it when it is that already. */
export function updateBody(saved: RoleValues, draft: RoleDraft): UpdateRoleBody {
  const values = withDraft(saved, draft)
  return {
    ...(values.name.trim() === saved.name ? {} : { name: values.name.trim() }),
    ...(values.hoisted === saved.hoisted ? {} : { hoisted: values.hoisted }),
    ...(values.permissions === saved.permissions ? {} : { permissions: values.permissions }),
    ...(values.colors.join() === saved.colors.join() ? {} : colorFields(values.colors)),
  }
}

export function createBody(draft: RoleDraft): CreateRoleBody {
  const { name, hoisted, colors, permissions } = withDraft(newRoleValues, draft)
  return { name: name.trim(), hoisted, permissions, ...colorFields(colors) }
}

/** One colour is the first; of two the second is the last. */
function colorFields(colors: readonly string[]) {
  const [from, middle, last] = colors.map(colorNumber)
  return {
    color_from: from ?? null,
    color_via: last === undefined ? null : (middle ?? null),
    color_to: last ?? middle ?? null,
  }
}
