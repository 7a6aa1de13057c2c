import type { FileRow } from '#src/files/objects/rows.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Returns files of reports, of any tenants. */
export async function listReportFiles(database: Queryable, ids: readonly string[]): Promise<FileRow[]> {
  if (ids.length === 0) return []
  return database.query<FileRow>(sql`
    select tenant_id, id, bucket_id, owner_id, purpose, state, channel_id, message_id, filename, content_type, size_bytes,
      width, height, animated, description, created_at, deleted_at
    from attachments where id = any(${ids}) and purpose = 'report'`)
}
