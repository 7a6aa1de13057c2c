import type { StorageStatus } from '@foyer/protocol/attachments'
import type { Grant } from '#src/files/queries.ts'
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

/**
 * Of all buckets together, those that are being emptied included. New files go to the active one, or else to the space's part
 * of the server's own storage: its limit is how far all may grow.
 * @param own the limits of the server's own storage
 */
export async function findStorageStatus(
  database: Queryable,
  spaceId: string,
  own: Grant,
): Promise<StorageStatus> {
  const [status] = await database.query<StorageStatus>(sql`
    with buckets as (
      select id, used_bytes, max_bytes, upload_limit_bytes, active from storage_buckets where tenant_id = ${spaceId}
    ), target as (
      select used_bytes, max_bytes, upload_limit_bytes from buckets where active
      union all
      select coalesce((select used_bytes from buckets where id = ${spaceId}), 0),
        ${own.maxBytes}::bigint, ${own.uploadLimitBytes}::bigint
      where not exists (select from buckets where active)
    ), used as (
      select coalesce(sum(used_bytes), 0)::bigint as bytes from buckets
    )
    select bytes as used_bytes, (max_bytes + bytes - used_bytes)::bigint as max_bytes, upload_limit_bytes
    from target, used`)
  if (status === undefined) throw new Error("a space's storage cannot be read")
  return status
}
