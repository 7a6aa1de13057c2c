import type { StorageStatus } from '@foyer/protocol/attachments'
import type { FileRow } from '#src/files/rows.ts'
import { type Queryable, sql } from '#src/kernel/sql.ts'

/** The images of the space's emojis and stickers, oldest first: no more than a space has of them. */
export async function listSpaceImages(database: Queryable, spaceId: string): Promise<FileRow[]> {
  return database.query<FileRow>(sql`
    select tenant_id, id, bucket_id, owner_id, purpose, state, channel_id, message_id, filename, content_type, size_bytes,
      width, height, animated, created_at, deleted_at
    from attachments where tenant_id = ${spaceId} and purpose in ('emoji', 'sticker') and state = 'live'
    order by id`)
}

/** Of all buckets together, those that are being emptied included. */
export async function findStorageStatus(database: Queryable, spaceId: string): Promise<StorageStatus> {
  const [status] = await database.query<StorageStatus>(sql`
    select coalesce(sum(used_bytes), 0)::bigint as used_bytes,
      max(max_bytes) filter (where active) as max_bytes,
      max(upload_limit_bytes) filter (where active) as upload_limit_bytes
    from storage_buckets where tenant_id = ${spaceId}`)
  return status ?? { used_bytes: 0, max_bytes: null, upload_limit_bytes: null }
}
