import type { PermissionExplanation, PermissionReason } from '@foyer/protocol/permission-reasons'
import { joined, lazily } from '#src/language/formats.ts'
import { counted, locale, t } from '#src/language/texts.ts'

/** Explains in plain sentences why a member has or lacks a permission in a room. */

/** The name of the member, and the names of roles. */
export interface ReasonNames {
  readonly name: string
  readonly roleNames: (roleIds: readonly string[]) => string[]
}

/** Returns one or two sentences that begin with the result. */
export function reasonText(
  { allowed, reason, needsView }: PermissionExplanation,
  names: ReasonNames,
): string {
  const result = allowed ? whyAllowed(reason, names) : whyDenied(reason, names)
  // A denied permission stays denied, even with access to the room.
  if (!needsView || !allowed) return result
  return `${result} ${t('But it is of no use here, as {name} may not view the room.', { name: names.name })}`
}

/** Explains a permission that is inherited because nothing is set here. */
export function inheritedText(
  explanation: PermissionExplanation,
  roleNames: ReasonNames['roleNames'],
): string {
  const { allowed, reason } = explanation
  switch (reason.kind) {
    case 'owner':
      return t('Inherited: allowed, as to every owner')
    case 'administrator':
      return t('Inherited: allowed, as {roles} makes administrators', {
        roles: listed(roleNames(reason.roleIds), 'or'),
      })
    case 'member_overwrite':
      return allowed
        ? t('Inherited: allowed by the overwrite of the member')
        : t('Inherited: denied by the overwrite of the member')
    case 'role_overwrites':
      return inheritedOverwrites(allowed, roleNames(reason.roleIds))
    case 'everyone_overwrite':
      return allowed
        ? t('Inherited: allowed by the overwrite of @everyone')
        : t('Inherited: denied by the overwrite of @everyone')
    case 'roles':
      return t('Inherited: allowed by {roles}', { roles: listed(roleNames(reason.roleIds), 'and') })
    case 'no_role':
      return t('Inherited: nobody’s role allows it')
  }
}

const disjunction = lazily(() => new Intl.ListFormat(locale(), { type: 'disjunction' }))

/** Joins names: "A", "A and B", "A, B, and C". */
export function listed(names: readonly string[], word: 'and' | 'or'): string {
  return word === 'and' ? joined(names) : disjunction().format(names)
}

function inheritedOverwrites(allowed: boolean, names: readonly string[]): string {
  const values = { roles: listed(names, 'and') }
  return allowed
    ? counted(
        names.length,
        'Inherited: allowed by the overwrite of {roles}',
        'Inherited: allowed by the overwrites of {roles}',
        values,
      )
    : counted(
        names.length,
        'Inherited: denied by the overwrite of {roles}',
        'Inherited: denied by the overwrites of {roles}',
        values,
      )
}

function whyAllowed(reason: PermissionReason, { name, roleNames }: ReasonNames): string {
  const names = 'roleIds' in reason ? roleNames(reason.roleIds) : []
  const values = { name, roles: listed(names, 'and') }
  switch (reason.kind) {
    case 'owner':
      return t('Allowed: {name} owns the space.', values)
    case 'administrator':
      return counted(
        names.length,
        'Allowed: {name} is an administrator by the role {roles}.',
        'Allowed: {name} is an administrator by the roles {roles}.',
        values,
      )
    case 'member_overwrite':
      return t('Allowed: the overwrite of {name} gives it, and has the last word.', values)
    case 'role_overwrites':
      return counted(
        names.length,
        'Allowed: the overwrite of {roles} gives it.',
        'Allowed: the overwrites of {roles} give it.',
        values,
      )
    case 'everyone_overwrite':
      return t('Allowed: the overwrite of @everyone gives it.')
    default:
      return counted(
        names.length,
        'Allowed: the role {roles} has it, and no overwrite takes it.',
        'Allowed: the roles {roles} have it, and no overwrite takes it.',
        values,
      )
  }
}

function whyDenied(reason: PermissionReason, { name, roleNames }: ReasonNames): string {
  const names = 'roleIds' in reason ? roleNames(reason.roleIds) : []
  const values = { name, roles: listed(names, 'and') }
  switch (reason.kind) {
    case 'member_overwrite':
      return t('Denied: the overwrite of {name} takes it, and has the last word.', values)
    case 'role_overwrites':
      return counted(
        names.length,
        'Denied: the overwrite of {roles} takes it, and no overwrite of {name} or another of their roles gives it back.',
        'Denied: the overwrites of {roles} take it, and no overwrite of {name} or another of their roles gives it back.',
        values,
      )
    case 'everyone_overwrite':
      return t(
        'Denied: the overwrite of @everyone takes it, and no overwrite of {name} or one of their roles gives it back.',
        values,
      )
    default:
      return t('Denied: no role of {name} has it, and no overwrite gives it.', values)
  }
}
