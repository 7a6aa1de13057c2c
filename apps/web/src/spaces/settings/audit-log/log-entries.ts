import type { AuditLogEntry, AuditLogPage, AuditLogQuery } from '@foyer/protocol/audit-log'
import { MAX_PAGE } from '@foyer/protocol/limits'
import type { User } from '@foyer/protocol/users'

/** The part of the log that is loaded. */
export interface LoadedLog {
  /** Newest first. */
  readonly entries: readonly AuditLogEntry[]
  readonly users: Readonly<Record<string, User>>
  /** True if there are no older entries. */
  readonly isComplete: boolean
}

export const emptyLog: LoadedLog = { entries: [], users: {}, isComplete: false }

/** Adds the next page. */
export function withPage(
  log: LoadedLog,
  { entries, users }: AuditLogPage,
  limit: AuditLogQuery['limit'] = MAX_PAGE,
): LoadedLog {
  return {
    entries: merged(log.entries, entries),
    users: { ...log.users, ...Object.fromEntries(users.map((user) => [user.id, user])) },
    isComplete: entries.length < limit,
  }
}

/** Adds a new entry if it passes the filter, and marks the entry that it undoes. */
export function withEntry(log: LoadedLog, added: AuditLogEntry, isShown: boolean): LoadedLog {
  const entries = log.entries.map((entry) =>
    entry.id === added.undoes ? { ...entry, undone_by: added.id } : entry,
  )
  return { ...log, entries: isShown ? merged(entries, [added]) : entries }
}

/** Merges two lists without duplicates, newest first: ids begin with their time. */
function merged(before: readonly AuditLogEntry[], added: readonly AuditLogEntry[]): AuditLogEntry[] {
  const byId = new Map([...added, ...before].map((entry) => [entry.id, entry]))
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1))
}
