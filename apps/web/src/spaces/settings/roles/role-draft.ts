import { noRights, type RightFlags } from '@foyer/protocol/permissions'
import { type RightName, rightNames, withRight } from '@foyer/protocol/rights'
import type { CreateRoleBody, Role, UpdateRoleBody } from '@foyer/protocol/roles'
import { colorNumber, colorsOf } from '#src/roles/role-color.ts'

/** Unsaved changes of a role. The other fields follow changes by other members. */
export interface RoleDraft {
  readonly name?: string
  readonly hoisted?: boolean
  /** Up to three CSS colours. */
  readonly colors?: readonly string[]
  /** Permissions to add (true) and to remove (false). */
  readonly switched: Readonly<Partial<Record<RightName, boolean>>>
}

/** Form values of a role. */
export interface RoleValues {
  readonly name: string
  readonly hoisted: boolean
  readonly colors: readonly string[]
  readonly rights: RightFlags
}

export const emptyDraft: RoleDraft = { switched: {} }

/** Initial form values of a new role. */
export const newRoleValues: RoleValues = { name: '', hoisted: false, colors: [], rights: noRights }

export function valuesOf(role: Role): RoleValues {
  const { name, hoisted, permissions, capabilities } = role
  return { name, hoisted, colors: colorsOf(role), rights: { permissions, capabilities } }
}

export function withDraft(saved: RoleValues, draft: RoleDraft): RoleValues {
  return {
    name: draft.name ?? saved.name,
    hoisted: draft.hoisted ?? saved.hoisted,
    colors: draft.colors ?? saved.colors,
    rights: switchedIn(saved.rights, draft.switched),
  }
}

function switchedIn(saved: RightFlags, switched: RoleDraft['switched']): RightFlags {
  return rightNames.reduce((flags, name) => {
    const isOn = switched[name]
    return isOn === undefined ? flags : withRight(flags, name, isOn)
  }, saved)
}

export function withPermission(draft: RoleDraft, name: RightName, isOn: boolean): RoleDraft {
  return { ...draft, switched: { ...draft.switched, [name]: isOn } }
}

/** Returns the fields that differ from the saved role. */
export function updateBody(saved: RoleValues, draft: RoleDraft): UpdateRoleBody {
  const values = withDraft(saved, draft)
  const { permissions, capabilities } = values.rights
  return {
    ...(values.name.trim() === saved.name ? {} : { name: values.name.trim() }),
    ...(values.hoisted === saved.hoisted ? {} : { hoisted: values.hoisted }),
    ...(permissions === saved.rights.permissions ? {} : { permissions }),
    ...(capabilities === saved.rights.capabilities ? {} : { capabilities }),
    ...(values.colors.join() === saved.colors.join() ? {} : colorFields(values.colors)),
  }
}

export function createBody(draft: RoleDraft): CreateRoleBody {
  const { name, hoisted, colors, rights } = withDraft(newRoleValues, draft)
  return { name: name.trim(), hoisted, ...rights, ...colorFields(colors) }
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
