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
  // A denied permission needs no note about access: it would stay denied even with access to the room.
  if (!needsView || !allowed) return result
  return `${result} ${t('(Has no effect: {name} can’t see this room.)', { name: names.name })}`
}

/** Explains an inherited permission, which the overwrite neither allows nor denies. */
export function inheritedText(
  explanation: PermissionExplanation,
  roleNames: ReasonNames['roleNames'],
): string {
  const { allowed, reason } = explanation
  switch (reason.kind) {
    case 'owner':
      return t('Inherited: allowed for the space owner')
    case 'timed_out':
      return t('Denied while the member is timed out')
    case 'frozen':
      return t('Denied while the space is frozen')
    case 'administrator':
      return t('Inherited: allowed because {roles} has the administrator permission', {
        roles: listed(roleNames(reason.roleIds), 'or'),
      })
    case 'member_overwrite':
      return allowed
        ? t('Inherited: allowed here for this member')
        : t('Inherited: denied here for this member')
    case 'role_overwrites':
      return inheritedOverwrites(allowed, roleNames(reason.roleIds))
    case 'everyone_overwrite':
      return allowed ? t('Inherited: allowed here for @everyone') : t('Inherited: denied here for @everyone')
    case 'roles':
      return t('Inherited: allowed by {roles}', { roles: listed(roleNames(reason.roleIds), 'and') })
    case 'no_role':
      return t('Inherited: denied, because no role allows it')
  }
}

const disjunction = lazily(() => new Intl.ListFormat(locale(), { type: 'disjunction' }))

/** Joins names with "and" or "or": "A", "A and B", "A, B, and C". */
export function listed(names: readonly string[], word: 'and' | 'or'): string {
  return word === 'and' ? joined(names) : disjunction().format(names)
}

function inheritedOverwrites(allowed: boolean, names: readonly string[]): string {
  const values = { roles: listed(names, 'and') }
  return allowed
    ? counted(
        names.length,
        'Inherited: allowed here for the role {roles}',
        'Inherited: allowed here for the roles {roles}',
        values,
      )
    : counted(
        names.length,
        'Inherited: denied here for the role {roles}',
        'Inherited: denied here for the roles {roles}',
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
        'Allowed: {name} is an administrator through the role {roles}.',
        'Allowed: {name} is an administrator through the roles {roles}.',
        values,
      )
    case 'member_overwrite':
      return t('Allowed for {name} in this room, which overrides their roles.', values)
    case 'role_overwrites':
      return counted(
        names.length,
        'Allowed for the role {roles} in this room.',
        'Allowed for the roles {roles} in this room.',
        values,
      )
    case 'everyone_overwrite':
      return t('Allowed for @everyone in this room.')
    default:
      return counted(
        names.length,
        'Allowed by the role {roles}, and not denied in this room.',
        'Allowed by the roles {roles}, and not denied in this room.',
        values,
      )
  }
}

function whyDenied(reason: PermissionReason, { name, roleNames }: ReasonNames): string {
  const names = 'roleIds' in reason ? roleNames(reason.roleIds) : []
  const values = { name, roles: listed(names, 'and') }
  switch (reason.kind) {
    case 'timed_out':
      return t('Denied: {name} is timed out.', values)
    case 'frozen':
      return t('Denied: the space is frozen.')
    case 'member_overwrite':
      return t('Denied for {name} in this room, which overrides their roles.', values)
    case 'role_overwrites':
      return counted(
        names.length,
        'Denied for the role {roles} in this room, and none of {name}’s other roles allow it here.',
        'Denied for the roles {roles} in this room, and none of {name}’s other roles allow it here.',
        values,
      )
    case 'everyone_overwrite':
      return t('Denied for @everyone in this room, and none of {name}’s roles allow it here.', values)
    default:
      return t('Denied: none of {name}’s roles allow it, and it isn’t allowed in this room.', values)
  }
}
