import { type Queryable, sql } from '#src/kernel/sql.ts'
import type { FreeDisk } from '#src/kernel/storage/free-disk.ts'
import type { BucketRow, FileRow } from './rows.ts'

/** By its id alone, for downloads: their address names no tenant. */
export async function findFile(database: Queryable, id: string): Promise<FileRow | undefined> {
  const [file] = await database.query<FileRow>(sql`
    select tenant_id, id, bucket_id, owner_id, purpose, state, channel_id, message_id, filename, content_type, size_bytes,
      width, height, animated, created_at, deleted_at
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
      width, height, animated, created_at, deleted_at
    from attachments where tenant_id = ${tenantId} and id = any(${ids})
    order by id`)
}

/** The files of messages, each message's in their order; those that were deleted by themselves included. */
export async function listMessageFiles(
  database: Queryable,
  tenantId: string,
  messageIds: readonly string[],
): Promise<FileRow[]> {
  return database.query<FileRow>(sql`
    select tenant_id, id, bucket_id, owner_id, purpose, state, channel_id, message_id, filename, content_type, size_bytes,
      width, height, animated, created_at, deleted_at
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

/** Where new uploads of the space go; undefined when it has no bucket, or none that is active. */
export async function findActiveBucket(database: Queryable, spaceId: string): Promise<BucketRow | undefined> {
  const [bucket] = await database.query<BucketRow>(sql`
    select tenant_id, id, kind, name, endpoint, region, bucket_name, access_key_id, secret, use_path_style, max_bytes,
      upload_limit_bytes, used_bytes, active, direct_upload, created_at, updated_at, deleted_at
    from storage_buckets where tenant_id = ${spaceId} and active`)
  return bucket
}

/** Of one part of the server's own storage. */
export interface Grant {
  maxBytes: number | null
  uploadLimitBytes: number
}

export interface OwnLimits extends Grant {
  /** Of all spaces of one owner together; null for no limit. */
  ownerMaxBytes: number | null
  /** Undefined where the server's own files are in a bucket. */
  disk?: FreeDisk
}

/** The tenant's part of the server's own storage, made when it is first needed. */
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
