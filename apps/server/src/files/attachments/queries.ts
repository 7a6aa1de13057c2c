import type { StorageStatus } from '@foyer/protocol/attachments'
import type { Grant } from '#src/files/objects/queries.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Lists the images of the space's emojis and stickers, oldest first. The space's limits bound their number. */
export async function listSpaceImages(database: Queryable, spaceId: string): Promise<FileRow[]> {
  return database.query<FileRow>(sql`
    select tenant_id, id, bucket_id, owner_id, purpose, state, channel_id, message_id, filename, content_type, size_bytes,
      width, height, animated, description, created_at, deleted_at
    from attachments where tenant_id = ${spaceId} and purpose in ('emoji', 'sticker') and state = 'live'
    order by id`)
}

/**
 * Sums the used bytes of all buckets, including deleted buckets that still have files. New files go to the active bucket,
 * otherwise to the server's own storage, whose limit then applies.
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
