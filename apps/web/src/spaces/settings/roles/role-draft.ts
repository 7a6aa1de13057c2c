import type { CreateRoleBody, Role, UpdateRoleBody } from '@foyer/protocol/roles'
import { colorNumber, colorsOf } from '#src/roles/role-color.ts'

/** Unsaved changes of a role. The other fields follow changes by other members. */
export interface RoleDraft {
  readonly name?: string
  readonly hoisted?: boolean
  /** Up to three CSS colours. */
  readonly colors?: readonly string[]
  /** Permissions to add and to remove. */
  readonly granted: number
  readonly withdrawn: number
}

/** Form values of a role. */
export interface RoleValues {
  readonly name: string
  readonly hoisted: boolean
  readonly colors: readonly string[]
  readonly permissions: number
}

export const emptyDraft: RoleDraft = { granted: 0, withdrawn: 0 }

/** Initial form values of a new role. */
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

/** Returns the fields that differ from the saved role. */
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

/** Two colours are the ends of a gradient; the second of three is its middle. */
function colorFields(colors: readonly string[]) {
  const [from, middle, last] = colors.map(colorNumber)
  return {
    color_from: from ?? null,
    color_via: last === undefined ? null : (middle ?? null),
    color_to: last ?? middle ?? null,
  }
}
