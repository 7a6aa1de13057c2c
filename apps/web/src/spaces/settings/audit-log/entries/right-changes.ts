import type { AuditFields, AuditLogEntry } from '@foyer/protocol/audit-log'
import type { RightFlags } from '@foyer/protocol/permissions'
import { hasRight, type RightName } from '@foyer/protocol/rights'
import { t } from '#src/language/texts.ts'
import { permissionTexts } from '#src/permissions/permission-texts.ts'
import type { FieldChange } from './field-values.ts'

/** The rights of a role that a change added and removed, by their names. */
export interface RightsChange {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

type Sides = Pick<AuditLogEntry, 'before' | 'after'>

/** Returns null if no right of a role changed. */
export function rightsChange({ before, after }: Sides): RightsChange | null {
  const [was, is] = [roleFlags(before), roleFlags(after)]
  const labelsOf = (accepts: (name: RightName) => boolean) =>
    permissionTexts.filter(({ name }) => accepts(name)).map(({ label }) => label)
  const added = labelsOf((name) => hasRight(is, name) && !hasRight(was, name))
  const removed = labelsOf((name) => hasRight(was, name) && !hasRight(is, name))
  return added.length + removed.length === 0 ? null : { added, removed }
}

/** Returns the names of the rights that the entry changed in a role and that the user lacks, and so may not change back. */
export function lackedRights({ action, before, after }: AuditLogEntry, own: RightFlags): string[] {
  if (action !== 'role_update') return []
  const [was, is] = [roleFlags(before), roleFlags(after)]
  return permissionTexts
    .filter(({ name }) => hasRight(was, name) !== hasRight(is, name) && !hasRight(own, name))
    .map(({ label }) => label)
}

const states = { allow: t('Allowed'), deny: t('Denied'), inherit: t('Inherited') }

/**
 * Returns the changed rights of an overwrite: allowed, denied or inherited, before and after. An entry contains only the
 * fields that changed, so the rights of a missing field count as unchanged.
 */
export function overwriteChanges({ before, after }: Sides): FieldChange[] {
  return permissionTexts
    .map(({ name, label }) => ({ label, was: stateIn(before, name), is: stateIn(after, name) }))
    .filter(({ was, is }) => was !== is)
    .map(({ label, was, is }) => ({ label, before: { text: states[was] }, after: { text: states[is] } }))
}

function stateIn(fields: AuditFields | null, name: RightName): keyof typeof states {
  const allowed = flagsOf(fields?.allow_flags, fields?.allow_capabilities)
  const denied = flagsOf(fields?.deny_flags, fields?.deny_capabilities)
  if (hasRight(allowed, name)) return 'allow'
  return hasRight(denied, name) ? 'deny' : 'inherit'
}

function roleFlags(fields: AuditFields | null): RightFlags {
  return flagsOf(fields?.permissions, fields?.capabilities)
}

function flagsOf(permissions: unknown, capabilities: unknown): RightFlags {
  return { permissions: numberOf(permissions), capabilities: numberOf(capabilities) }
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
