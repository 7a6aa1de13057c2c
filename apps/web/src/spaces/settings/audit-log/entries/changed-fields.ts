import type { AuditLogEntry } from '@foyer/protocol/audit-log'

/** Returns true if the entry changed one of these fields, and no other. */
export function changedOnly(
  { before, after }: Pick<AuditLogEntry, 'before' | 'after'>,
  ...fields: string[]
): boolean {
  if (before === null || after === null) return false
  const changed = Object.keys({ ...before, ...after })
  return changed.length > 0 && changed.every((field) => fields.includes(field))
}
