import type { AuditAction } from '@foyer/protocol/audit-actions'
import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import type { EntryNames } from './names.ts'

/** Returns an entry's sentence in the user's language, with names in braces for its values. */
export type Sentences = Record<AuditAction, (entry: AuditLogEntry, names: EntryNames) => string>
