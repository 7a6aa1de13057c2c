import type { AuditLogEntry, AuditLogFilter, AuditLogPage, AuditLogQuery } from '@foyer/protocol/audit-log'
import { AuditLogEntry as EntrySchema } from '@foyer/protocol/audit-log'
import { MAX_PAGE } from '@foyer/protocol/limits'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { serializerOf } from '#src/kernel/http/serialization.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { findUsers } from '#src/people/users/queries.ts'
import { accessSpace, type SpaceAccess } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { findEntry, listEntries } from './queries.ts'

const EXPORTED_AT_ONCE = 1000

/** Returns a page of the log, newest first, with the users that it names. */
export async function readAuditLog(
  database: Queryable,
  { spaceId }: SpaceAccess,
  { before_id, limit = MAX_PAGE, ...filter }: AuditLogQuery,
): Promise<AuditLogPage> {
  const entries = await listEntries(database, spaceId, filter, { before: before_id, limit })
  return { entries, users: await findUsers(database, [...new Set(entries.flatMap(usersOf))]) }
}

function usersOf({ actor_id, target_type, target_id }: AuditLogEntry): string[] {
  return [...(actor_id === null ? [] : [actor_id]), ...(target_type === 'user' ? [target_id] : [])]
}

/** @throws ApiError 404 for an entry of another space, and for an expired one */
export async function accessEntry(
  database: Queryable,
  { spaceId }: SpaceAccess,
  id: string,
): Promise<AuditLogEntry> {
  const entry = await findEntry(database, spaceId, id)
  if (entry === undefined) throw new ApiError('unknown_audit_log_entry')
  return entry
}

/**
 * Returns the whole log in JSON Lines, newest first. One page is in memory at a time, and the stream fails as soon as
 * the caller may no longer read the log.
 */
export async function* exportAuditLog(
  { database, snapshots }: { database: Database; snapshots: Snapshots },
  { caller, spaceId }: SpaceAccess,
  filter: AuditLogFilter,
): AsyncGenerator<string> {
  const serialize = serializerOf(EntrySchema)
  let last: string | undefined
  do {
    await accessSpace(snapshots, caller, spaceId, 'ViewAuditLog')
    const entries = await listEntries(database, spaceId, filter, { before: last, limit: EXPORTED_AT_ONCE })
    if (entries.length > 0) yield `${entries.map(serialize).join('\n')}\n`
    last = entries.length < EXPORTED_AT_ONCE ? undefined : entries.at(-1)?.id
  } while (last !== undefined)
}
