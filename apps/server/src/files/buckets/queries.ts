import type { StorageBucket } from '@foyer/protocol/buckets'
import type { Grant } from '#src/files/objects/queries.ts'
import type { BucketRow, FileRow } from '#src/files/objects/rows.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { type MessageRow, messageColumns } from '#src/messages/rows.ts'

/** Lists the space's buckets, oldest first, without their secrets. The server's own bucket is not included. */
export async function listBuckets(database: Queryable, spaceId: string): Promise<StorageBucket[]> {
  return database.query<StorageBucket>(sql`
    select tenant_id as space_id, id, name, endpoint, region, bucket_name, access_key_id, use_path_style, max_bytes,
      upload_limit_bytes, used_bytes, active, direct_upload, kind = 'included' as included, created_at, updated_at
    from storage_buckets where tenant_id = ${spaceId} and kind <> 'own' and deleted_at is null
    order by created_at, id`)
}

/** Returns the whole row; undefined for a bucket of another space, a deleted bucket and the server's own. */
export async function findSpaceBucket(
  database: Queryable,
  spaceId: string,
  bucketId: string,
): Promise<BucketRow | undefined> {
  const [bucket] = await database.query<BucketRow>(sql`
    select tenant_id, id, kind, name, endpoint, region, bucket_name, access_key_id, secret, use_path_style, max_bytes,
      upload_limit_bytes, used_bytes, active, direct_upload, created_at, updated_at, deleted_at
    from storage_buckets
    where tenant_id = ${spaceId} and id = ${bucketId} and kind <> 'own' and deleted_at is null`)
  return bucket
}

/** Locks the bucket, so that no upload begins until the transaction ends. */
export async function lockBucket(
  transaction: Queryable,
  { tenant_id, id }: Pick<BucketRow, 'tenant_id' | 'id'>,
): Promise<void> {
  await transaction.query(sql`
    select id from storage_buckets where tenant_id = ${tenant_id} and id = ${id} for update`)
}

/** The columns that a space can set. */
export type BucketSettings = Pick<
  BucketRow,
  | 'tenant_id'
  | 'id'
  | 'name'
  | 'endpoint'
  | 'region'
  | 'bucket_name'
  | 'access_key_id'
  | 'secret'
  | 'use_path_style'
  | 'max_bytes'
  | 'upload_limit_bytes'
  | 'direct_upload'
>

export async function insertBucket(
  transaction: Queryable,
  bucket: BucketSettings,
  { kind, active }: Pick<BucketRow, 'kind' | 'active'>,
): Promise<StorageBucket> {
  const [inserted] = await transaction.query<StorageBucket>(sql`
    insert into storage_buckets (tenant_id, id, kind, name, endpoint, region, bucket_name, access_key_id, secret,
      use_path_style, max_bytes, upload_limit_bytes, direct_upload, active)
    values (${bucket.tenant_id}, ${bucket.id}, ${kind}, ${bucket.name}, ${bucket.endpoint}, ${bucket.region},
      ${bucket.bucket_name}, ${bucket.access_key_id}, ${bucket.secret}, ${bucket.use_path_style}, ${bucket.max_bytes},
      ${bucket.upload_limit_bytes}, ${bucket.direct_upload}, ${active})
    returning tenant_id as space_id, id, name, endpoint, region, bucket_name, access_key_id, use_path_style, max_bytes,
      upload_limit_bytes, used_bytes, active, direct_upload, kind = 'included' as included, created_at, updated_at`)
  if (inserted === undefined) throw new Error('a bucket that was just inserted cannot be read')
  return inserted
}

/** Returns the bucket, or undefined if nothing changed. */
export async function saveBucket(
  transaction: Queryable,
  bucket: BucketSettings,
): Promise<StorageBucket | undefined> {
  const [saved] = await transaction.query<StorageBucket>(sql`
    update storage_buckets set name = ${bucket.name}, endpoint = ${bucket.endpoint}, region = ${bucket.region},
      bucket_name = ${bucket.bucket_name}, access_key_id = ${bucket.access_key_id}, secret = ${bucket.secret},
      use_path_style = ${bucket.use_path_style}, max_bytes = ${bucket.max_bytes},
      upload_limit_bytes = ${bucket.upload_limit_bytes}, direct_upload = ${bucket.direct_upload}, updated_at = now()
    where tenant_id = ${bucket.tenant_id} and id = ${bucket.id}
      and (name, endpoint, region, bucket_name, access_key_id, secret, use_path_style, max_bytes, upload_limit_bytes,
        direct_upload)
        is distinct from
        (${bucket.name}::text, ${bucket.endpoint}::text, ${bucket.region}::text, ${bucket.bucket_name}::text,
          ${bucket.access_key_id}::text, ${bucket.secret}::bytea, ${bucket.use_path_style}::boolean,
          ${bucket.max_bytes}::bigint, ${bucket.upload_limit_bytes}::bigint, ${bucket.direct_upload}::boolean)
    returning tenant_id as space_id, id, name, endpoint, region, bucket_name, access_key_id, use_path_style, max_bytes,
      upload_limit_bytes, used_bytes, active, direct_upload, kind = 'included' as included, created_at, updated_at`)
  return saved
}

/** Starts or stops new uploads to the bucket. Returns the bucket; undefined if nothing changed. */
export async function setActive(
  transaction: Queryable,
  { tenant_id, id }: Pick<BucketRow, 'tenant_id' | 'id'>,
  active: boolean,
): Promise<StorageBucket | undefined> {
  const [changed] = await transaction.query<StorageBucket>(sql`
    update storage_buckets set active = ${active}, updated_at = now()
    where tenant_id = ${tenant_id} and id = ${id} and active <> ${active}
    returning tenant_id as space_id, id, name, endpoint, region, bucket_name, access_key_id, use_path_style, max_bytes,
      upload_limit_bytes, used_bytes, active, direct_upload, kind = 'included' as included, created_at, updated_at`)
  return changed
}

/** Marks the bucket deleted, which hides it and blocks uploads. Its row is deleted after its objects. */
export async function markBucketDeleted(
  transaction: Queryable,
  { tenant_id, id }: Pick<BucketRow, 'tenant_id' | 'id'>,
): Promise<void> {
  await transaction.query(sql`
    update storage_buckets set deleted_at = now(), active = false
    where tenant_id = ${tenant_id} and id = ${id}`)
}

/** Counts the bucket's live files. */
export async function countShownFiles(
  database: Queryable,
  { tenant_id, id }: Pick<BucketRow, 'tenant_id' | 'id'>,
): Promise<number> {
  const [row] = await database.query<{ files: number }>(sql`
    select count(*)::int as files from attachments
    where tenant_id = ${tenant_id} and bucket_id = ${id} and state = 'live'`)
  return row?.files ?? 0
}

export type Sample = Pick<FileRow, 'tenant_id' | 'id' | 'size_bytes'>

/** Returns the oldest and the newest complete files. */
export async function listSamples(
  database: Queryable,
  { tenant_id, id }: Pick<BucketRow, 'tenant_id' | 'id'>,
): Promise<Sample[]> {
  return database.query<Sample>(sql`
    (select tenant_id, id, size_bytes from attachments
      where tenant_id = ${tenant_id} and bucket_id = ${id} and state in ('stored', 'live')
      order by id limit 1)
    union
    (select tenant_id, id, size_bytes from attachments
      where tenant_id = ${tenant_id} and bucket_id = ${id} and state in ('stored', 'live')
      order by id desc limit 1)
    order by id`)
}

/** Returns true while an upload to the bucket is in progress. */
export async function isReserved(
  database: Queryable,
  { tenant_id, id }: Pick<BucketRow, 'tenant_id' | 'id'>,
): Promise<boolean> {
  const rows = await database.query(sql`
    select id from attachments
    where tenant_id = ${tenant_id} and bucket_id = ${id} and state = 'reserved' limit 1`)
  return rows.length > 0
}

export type HeldFile = Pick<FileRow, 'id' | 'purpose' | 'channel_id' | 'message_id'>

/** Lists the bucket's files that are not deleted yet, oldest first. */
export async function listHeldFiles(
  database: Queryable,
  { tenant_id, id }: Pick<BucketRow, 'tenant_id' | 'id'>,
  limit: number,
): Promise<HeldFile[]> {
  return database.query<HeldFile>(sql`
    select id, purpose, channel_id, message_id from attachments
    where tenant_id = ${tenant_id} and bucket_id = ${id} and state in ('reserved', 'stored', 'live')
    order by id limit ${limit}`)
}

/** Lists deleted buckets that still have files, except those of spaces that can be brought back. */
export async function listHoldingBuckets(
  database: Queryable,
  limit: number,
): Promise<{ space_id: string; bucket_id: string }[]> {
  return database.query(sql`
    select tenant_id as space_id, id as bucket_id from storage_buckets
    where deleted_at is not null and was_active is null
      and (kind <> 'own' or exists (select from spaces where spaces.id = storage_buckets.tenant_id))
      and exists (
      select from attachments
      where attachments.tenant_id = storage_buckets.tenant_id and bucket_id = storage_buckets.id
        and state in ('reserved', 'stored', 'live'))
    order by tenant_id, id limit ${limit}`)
}

/** Lists the bucket's images of the space itself, including emojis and stickers. */
export async function listHeldImages(
  database: Queryable,
  { tenant_id, id }: Pick<BucketRow, 'tenant_id' | 'id'>,
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from attachments
    where tenant_id = ${tenant_id} and bucket_id = ${id} and purpose <> 'message' and state = 'live'
    order by id`)
  return rows.map((row) => row.id)
}

/** Applies the granted limits to a batch of buckets with other limits. Returns the number changed. */
export async function grantLimits(
  database: Database,
  kind: 'included' | 'own',
  { maxBytes, uploadLimitBytes }: Grant,
  limit: number,
): Promise<number> {
  const granted = await database.execute(sql`
    with outdated as materialized (
      select tenant_id, id from storage_buckets
      where kind = ${kind} and (max_bytes, upload_limit_bytes) is distinct from
        (${maxBytes}::bigint, ${uploadLimitBytes}::bigint)
      -- In one order: processes that start together do this at once.
      order by tenant_id, id limit ${limit} for update
    )
    update storage_buckets set max_bytes = ${maxBytes}, upload_limit_bytes = ${uploadLimitBytes}
    from outdated where storage_buckets.tenant_id = outdated.tenant_id and storage_buckets.id = outdated.id
    returning storage_buckets.id`)
  return granted.length
}

/** Locks the messages that show the files, so that the published state is the newest. */
export async function lockMessagesOf(
  transaction: Queryable,
  spaceId: string,
  files: readonly HeldFile[],
): Promise<MessageRow[]> {
  const shown = files.filter((file) => file.message_id !== null)
  const ids = [...new Set(shown.map((file) => file.message_id))]
  const roomIds = [...new Set(shown.map((file) => file.channel_id))]
  return transaction.query<MessageRow>(sql`
    select ${messageColumns}
    from messages
    where tenant_id = ${spaceId} and channel_id = any(${roomIds}) and id = any(${ids})
      -- The messages of a deleted room are swept later than its head.
      and exists (select from message_heads where tenant_id = ${spaceId} and channel_id = messages.channel_id)
    order by id for update of messages`)
}
