import type { AuditLogEntry, AuditLogFilter, AuditLogPage, AuditLogQuery } from '@foyer/protocol/audit-log'
import { type CallOptions, path, type Rest } from '../rest.ts'

/** The changes of a space, for members with ViewAuditLog. */
export class AuditLog {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Newest first. For the next page, pass the last entry's id as `before_id`. */
  list(spaceId: string, query: AuditLogQuery = {}, options?: CallOptions): Promise<AuditLogPage> {
    const where = path`/api/spaces/${spaceId}/audit-log`
    return this.#rest.request({ ...options, method: 'GET', path: where, query })
  }

  /** All entries in JSON Lines, newest first. */
  export(spaceId: string, query: AuditLogFilter = {}, options?: CallOptions): Promise<string> {
    const where = path`/api/spaces/${spaceId}/audit-log/export`
    return this.#rest.text({ ...options, method: 'GET', path: where, query, isLong: true })
  }

  /** Restores the fields that the entry changed. Needs the rights to change them. Returns the new entry. */
  undo(spaceId: string, entryId: string, options?: CallOptions): Promise<AuditLogEntry> {
    const where = path`/api/spaces/${spaceId}/audit-log/${entryId}/undo`
    return this.#rest.request({ ...options, method: 'POST', path: where })
  }
}
