import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { FreeDisk } from '#src/kernel/storage/free-disk.ts'
import type { BucketRow, FileRow } from './rows.ts'

/** Finds a file by id alone: download addresses do not name the tenant. */
export async function findFile(database: Queryable, id: string): Promise<FileRow | undefined> {
  const [file] = await database.query<FileRow>(sql`
    select tenant_id, id, bucket_id, owner_id, purpose, state, channel_id, message_id, filename, content_type, size_bytes,
      width, height, animated, description, created_at, deleted_at
    from attachments where id = ${id}`)
  return file
}

export async function findFiles(
  database: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<FileRow[]> {
  return database.query<FileRow>(sql`
    select tenant_id, id, bucket_id, owner_id, purpose, state, channel_id, message_id, filename, content_type, size_bytes,
      width, height, animated, description, created_at, deleted_at
    from attachments where tenant_id = ${tenantId} and id = any(${ids})
    order by id`)
}

/** Lists the files of messages, in display order within each message. Includes files that were deleted individually. */
export async function listMessageFiles(
  database: Queryable,
  tenantId: string,
  messageIds: readonly string[],
): Promise<FileRow[]> {
  return database.query<FileRow>(sql`
    select tenant_id, id, bucket_id, owner_id, purpose, state, channel_id, message_id, filename, content_type, size_bytes,
      width, height, animated, description, created_at, deleted_at
    from attachments where tenant_id = ${tenantId} and message_id = any(${messageIds})
    order by message_id, place, id`)
}

export async function findBucket(
  database: Queryable,
  tenantId: string,
  bucketId: string,
): Promise<BucketRow | undefined> {
  const [bucket] = await database.query<BucketRow>(sql`
    select tenant_id, id, kind, name, endpoint, region, bucket_name, access_key_id, secret, use_path_style, max_bytes,
      upload_limit_bytes, used_bytes, active, direct_upload, created_at, updated_at, deleted_at
    from storage_buckets where tenant_id = ${tenantId} and id = ${bucketId}`)
  return bucket
}

/** Returns the bucket for new uploads of the space; undefined if no bucket is active. */
export async function findActiveBucket(database: Queryable, spaceId: string): Promise<BucketRow | undefined> {
  const [bucket] = await database.query<BucketRow>(sql`
    select tenant_id, id, kind, name, endpoint, region, bucket_name, access_key_id, secret, use_path_style, max_bytes,
      upload_limit_bytes, used_bytes, active, direct_upload, created_at, updated_at, deleted_at
    from storage_buckets where tenant_id = ${spaceId} and active`)
  return bucket
}

/** Limits of a tenant's share of the server's own storage. */
export interface Grant {
  maxBytes: number | null
  uploadLimitBytes: number
}

export interface OwnLimits extends Grant {
  /** Bytes for all spaces of one owner together; null for no limit. */
  ownerMaxBytes: number | null
  /** Free space of the disk with the server's own files; undefined if they are in S3. */
  disk?: FreeDisk
}

/** Returns the tenant's share of the server's own storage, and creates it on first use. */
export async function makeOwnBucket(
  transaction: Queryable,
  tenantId: string,
  { maxBytes, uploadLimitBytes }: Grant,
): Promise<BucketRow> {
  await transaction.query(sql`
    insert into storage_buckets (tenant_id, id, kind, max_bytes, upload_limit_bytes)
    values (${tenantId}, ${tenantId}, 'own', ${maxBytes}, ${uploadLimitBytes})
    on conflict do nothing`)
  const bucket = await findBucket(transaction, tenantId, tenantId)
  if (bucket === undefined) throw new Error("a tenant's own storage cannot be read")
  return bucket
}
