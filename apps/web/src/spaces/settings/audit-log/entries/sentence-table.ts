import type { AuditAction } from '@foyer/protocol/audit-actions'
import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import type { EntryNames } from './names.ts'

/** For each action, returns the sentence of an entry in the user's language, with placeholders in braces. */
export type Sentences = Record<AuditAction, (entry: AuditLogEntry, names: EntryNames) => string>
