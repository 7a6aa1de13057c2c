import assert from 'node:assert/strict'
import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import type { Person } from './people.ts'

/** Returns the newest entry of the space's audit log, as the reader sees it. */
export async function newestEntry({ client }: Person, spaceId: string): Promise<AuditLogEntry> {
  const [entry] = (await client.auditLog.list(spaceId, { limit: 1 })).entries
  assert.ok(entry)
  return entry
}
