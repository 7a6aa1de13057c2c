import type { PermissionExplanation, PermissionReason } from '@foyer/protocol/permission-reasons'

/** Why somebody may or may not do a thing in a room, in plain sentences. */

/** The member that it is about, and what roles are called. */
export interface Spoken {
  readonly name: string
  readonly roleNames: (roleIds: readonly string[]) => string[]
}

/** One or two sentences that begin with the verdict. */
export function reasonText({ allowed, reason, needsView }: PermissionExplanation, spoken: Spoken): string {
  const verdict = `${allowed ? 'Allowed' : 'Denied'}: ${why(allowed, reason, spoken)}.`
  // Where it is denied anyway, viewing the room would change nothing.
  if (!needsView || !allowed) return verdict
  return `${verdict} But it is of no use here, as ${spoken.name} may not view the room.`
}

/** What a role or member has that nothing is set for here. */
export function inheritedText(
  { allowed, reason }: PermissionExplanation,
  roleNames: Spoken['roleNames'],
): string {
  const verdict = allowed ? 'allowed' : 'denied'
  switch (reason.kind) {
    case 'owner':
      return 'Inherited: allowed, as to every owner'
    case 'administrator':
      return `Inherited: allowed, as ${listed(roleNames(reason.roleIds), 'or')} makes administrators`
    case 'member_overwrite':
      return `Inherited: ${verdict} by the overwrite of the member`
    case 'role_overwrites':
      return `Inherited: ${verdict} by ${overwritesOf(roleNames(reason.roleIds))}`
    case 'everyone_overwrite':
      return `Inherited: ${verdict} by the overwrite of @everyone`
    case 'roles':
      return `Inherited: allowed by ${listed(roleNames(reason.roleIds), 'and')}`
    case 'no_role':
      return 'Inherited: nobody’s role allows it'
  }
}

/** "A", "A and B", "A, B and C". */
export function listed(names: readonly string[], word: 'and' | 'or'): string {
  const type = word === 'and' ? 'conjunction' : 'disjunction'
  return new Intl.ListFormat('en-GB', { type }).format(names)
}

function why(allowed: boolean, reason: PermissionReason, { name, roleNames }: Spoken): string {
  const does = allowed ? 'gives' : 'takes'
  switch (reason.kind) {
    case 'owner':
      return `${name} owns the space`
    case 'administrator':
      return `${name} is an administrator by ${rolesOf(roleNames(reason.roleIds))}`
    case 'member_overwrite':
      return `the overwrite of ${name} ${does} it, and has the last word`
    case 'role_overwrites': {
      const names = roleNames(reason.roleIds)
      const doing = `${overwritesOf(names)} ${names.length === 1 ? does : does.slice(0, -1)} it`
      return allowed ? doing : `${doing}, and no overwrite of ${name} or another of their roles gives it back`
    }
    case 'everyone_overwrite': {
      const doing = `the overwrite of @everyone ${does} it`
      return allowed ? doing : `${doing}, and no overwrite of ${name} or one of their roles gives it back`
    }
    case 'roles': {
      const names = roleNames(reason.roleIds)
      return `${rolesOf(names)} ${names.length === 1 ? 'has' : 'have'} it, and no overwrite takes it`
    }
    case 'no_role':
      return `no role of ${name} has it, and no overwrite gives it`
  }
}

function rolesOf(names: readonly string[]): string {
  return `${names.length === 1 ? 'the role' : 'the roles'} ${listed(names, 'and')}`
}

function overwritesOf(names: readonly string[]): string {
  return `${names.length === 1 ? 'the overwrite' : 'the overwrites'} of ${listed(names, 'and')}`
}
