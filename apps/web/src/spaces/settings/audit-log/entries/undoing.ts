import { isReversible } from '@foyer/protocol/audit-actions'
import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import { t } from '#src/language/texts.ts'
import { serverNow } from '#src/ui/time/server-clock.ts'
import { formatUntil } from '#src/ui/time/until.ts'
import { wasTimedOut } from './member-sentences.ts'
import type { EntryNames } from './names.ts'
import { sentenceValues } from './values.ts'

/** Returns whether to offer undoing an entry. A timeout that has ended since cannot be brought back. */
export function canUndo(entry: AuditLogEntry, now = serverNow()): boolean {
  if (!isReversible(entry)) return false
  const until = entry.action === 'timeout_delete' ? entry.before?.until : entry.after?.until
  return typeof until !== 'string' || Date.parse(until) > now
}

/** Returns a sentence on the effect of undoing the entry; null where the list of changes shows it. */
export function undoText(entry: AuditLogEntry, names: EntryNames): string | null {
  const { target, role } = sentenceValues(entry, names)
  const values = { target: target ?? '', role: role ?? '' }
  switch (entry.action) {
    case 'role_assign':
      return t('{target} will lose the role {role}.', values)
    case 'role_remove':
      return t('{target} will get the role {role} again.', values)
    case 'ban_create':
      return entry.before === null ? t('{target} will be unbanned.', values) : null
    case 'ban_delete':
      return t('{target} will be banned again.', values)
    case 'timeout_create':
      return wasTimedOut(entry) ? null : t('{target} will no longer be timed out.', values)
    case 'timeout_delete':
      return t('{target} will be timed out again until {until}.', { ...values, until: endOf(entry) })
    default:
      return null
  }
}

function endOf({ before }: AuditLogEntry): string {
  return typeof before?.until === 'string' ? formatUntil(before.until, serverNow()) : ''
}
