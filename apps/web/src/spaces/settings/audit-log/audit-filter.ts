import type { AuditAction } from '@foyer/protocol/audit-actions'
import type { AuditLogEntry, AuditLogFilter } from '@foyer/protocol/audit-log'

/** The filters as the user sees them. */
export interface ChosenFilter {
  readonly actorId: string | null
  /** The affected member. */
  readonly targetId: string | null
  readonly action: AuditAction | null
  /** First and last day, as in 2026-01-31; empty for no limit. */
  readonly from: string
  readonly to: string
}

export const noFilter: ChosenFilter = { actorId: null, targetId: null, action: null, from: '', to: '' }

export function isFiltered({ actorId, targetId, action, from, to }: ChosenFilter): boolean {
  return actorId !== null || targetId !== null || action !== null || from !== '' || to !== ''
}

/** Returns the server's filter. Days are in the user's time zone. */
export function filterOf({ actorId, targetId, action, from, to }: ChosenFilter): AuditLogFilter {
  return {
    ...(actorId !== null && { actor_id: actorId }),
    ...(targetId !== null && { target_id: targetId }),
    ...(action !== null && { action }),
    ...(from !== '' && { after: startOf(from).toISOString() }),
    ...(to !== '' && { before: dayAfter(startOf(to)).toISOString() }),
  }
}

/** Returns whether a new entry belongs in a list with this filter, as the server decides. */
export function passes(entry: AuditLogEntry, filter: AuditLogFilter): boolean {
  const created = Date.parse(entry.created_at)
  return (
    [undefined, entry.actor_id].includes(filter.actor_id) &&
    [undefined, entry.target_id].includes(filter.target_id) &&
    [undefined, entry.action].includes(filter.action) &&
    (filter.after === undefined || created >= Date.parse(filter.after)) &&
    (filter.before === undefined || created < Date.parse(filter.before))
  )
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00`)
}

function dayAfter(day: Date): Date {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1)
}
