import type { Database } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { BucketRow, FileRow, Purpose } from './rows.ts'

/**
 * Takes space in a bucket. The bucket's row stays locked until the transaction ends, so that simultaneous uploads
 * cannot pass the limit together.
 * @returns the bucket after the change; undefined if it lacks space or is deleted
 */
export async function takeRoom(
  transaction: Queryable,
  { tenant_id, id }: Pick<BucketRow, 'tenant_id' | 'id'>,
  sizeBytes: number,
): Promise<BucketRow | undefined> {
  const [bucket] = await transaction.query<BucketRow>(sql`
    update storage_buckets set used_bytes = used_bytes + ${sizeBytes}
    where tenant_id = ${tenant_id} and id = ${id} and deleted_at is null
      and (${sizeBytes} <= 0 or max_bytes is null or used_bytes + ${sizeBytes} <= max_bytes)
    returning tenant_id, id, kind, name, endpoint, region, bucket_name, access_key_id, secret, use_path_style, max_bytes,
      upload_limit_bytes, used_bytes, active, direct_upload, created_at, updated_at, deleted_at`)
  return bucket
}

export interface NewFile {
  id: string
  tenantId: string
  bucketId: string
  ownerId: string
  purpose: Purpose
  channelId: string | null
  filename: string
  /** Alternative text. */
  description: string | null
  contentType: string
  sizeBytes: number
  /** Seconds until the sweep deletes the file if nothing shows it. */
  keptSeconds: number
  /** Seconds in which the sender can upload directly; null for files that come through the server. */
  incomingSeconds: number | null
}

export async function insertFile(transaction: Queryable, file: NewFile): Promise<void> {
  await transaction.query(sql`
    insert into attachments (tenant_id, id, bucket_id, owner_id, purpose, state, channel_id, filename, description,
      content_type, size_bytes, sweep_at, incoming_until)
    values (${file.tenantId}, ${file.id}, ${file.bucketId}, ${file.ownerId}, ${file.purpose}, 'reserved',
      ${file.channelId}, ${file.filename}, ${file.description}, ${file.contentType}, ${file.sizeBytes},
      now() + make_interval(secs => ${file.keptSeconds}),
      now() + make_interval(secs => ${file.incomingSeconds}))`)
}

/** Counts the user's unused files in the tenant, and sums the bytes of those in the bucket. */
export async function measurePending(
  transaction: Queryable,
  { tenantId, ownerId }: { tenantId: string; ownerId: string },
  bucketId: string,
): Promise<{ count: number; bucketBytes: number }> {
  const [row] = await transaction.query<{ count: number; bucketBytes: number }>(sql`
    select count(*), coalesce(sum(size_bytes) filter (where bucket_id = ${bucketId}), 0)::bigint as "bucketBytes"
    from attachments
    where tenant_id = ${tenantId} and owner_id = ${ownerId} and state in ('reserved', 'stored')
      and purpose <> 'held'`)
  return row ?? { count: 0, bucketBytes: 0 }
}

/** Properties of a file after it was examined. */
export interface StoredFacts {
  filename: string
  contentType: string
  sizeBytes: number
  width: number | null
  height: number | null
  animated: boolean
}

/** Locks a reservation, so that no other process completes or ends it until the transaction ends. */
export async function lockReserved(
  transaction: Queryable,
  { tenant_id, id }: Pick<FileRow, 'tenant_id' | 'id'>,
): Promise<{ size_bytes: number } | undefined> {
  const [row] = await transaction.query<{ size_bytes: number }>(sql`
    select size_bytes from attachments
    where tenant_id = ${tenant_id} and id = ${id} and state = 'reserved'
    for update`)
  return row
}

/**
 * Marks a file stored; undefined if its reservation ended. The size may differ from the reserved one: the caller
 * accounts for the difference.
 */
export async function markStored(
  transaction: Queryable,
  { tenant_id, id }: Pick<FileRow, 'tenant_id' | 'id'>,
  facts: StoredFacts,
): Promise<FileRow | undefined> {
  const [file] = await transaction.query<FileRow>(sql`
    update attachments set state = 'stored', filename = ${facts.filename}, content_type = ${facts.contentType},
      size_bytes = ${facts.sizeBytes}, width = ${facts.width}, height = ${facts.height}, animated = ${facts.animated}
    where tenant_id = ${tenant_id} and id = ${id} and state = 'reserved'
    returning tenant_id, id, bucket_id, owner_id, purpose, state, channel_id, message_id, filename, content_type,
      size_bytes, width, height, animated, description, created_at, deleted_at`)
  return file
}

/** Locks the unused files among these, so that they stay unused until the transaction ends. */
export async function lockUnshown(
  transaction: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(sql`
    select id from attachments
    where tenant_id = ${tenantId} and id = any(${ids}) and state in ('reserved', 'stored') and purpose <> 'held'
    order by id for update`)
  return rows.map((row) => row.id)
}

/** Marks stored, unused files live. Returns their ids. */
export async function markLive(
  transaction: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(sql`
    update attachments set state = 'live', sweep_at = null
    where tenant_id = ${tenantId} and id = any(${ids}) and state = 'stored'
    returning id`)
  return rows.map((row) => row.id)
}

/**
 * Marks files deleted: frees their space and leaves the objects to the sweep. Rows are locked in id order, files before
 * buckets, so that two transactions never deadlock.
 * @returns the files that were not deleted before
 */
export async function markDeleted(
  transaction: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<FileRow[]> {
  return transaction.query<FileRow>(sql`
    with found as materialized (
      select id from attachments
      where tenant_id = ${tenantId} and id = any(${ids}) and state in ('reserved', 'stored', 'live')
      order by id for update
    ), gone as (
      update attachments set state = 'deleted', deleted_at = now(), sweep_at = now(), sweep_attempts = 0
      where tenant_id = ${tenantId} and id in (select id from found)
      returning tenant_id, id, bucket_id, owner_id, purpose, state, channel_id, message_id, filename, content_type,
        size_bytes, width, height, animated, description, created_at, deleted_at
    ), sums as (
      select bucket_id, sum(size_bytes) as size_bytes from gone group by bucket_id
    ), buckets as materialized (
      select id from storage_buckets
      where tenant_id = ${tenantId} and id in (select bucket_id from sums)
      order by id for update
    ), freed as (
      update storage_buckets set used_bytes = used_bytes - sums.size_bytes
      from sums where tenant_id = ${tenantId} and storage_buckets.id = sums.bucket_id
        and storage_buckets.id in (select id from buckets)
    )
    select * from gone order by id`)
}

/** Marks an upload cancelled: no message can use it, and its space is freed once its signed address has expired. */
export async function markCancelled(
  transaction: Queryable,
  file: { tenantId: string; channelId: string; ownerId: string },
  id: string,
): Promise<boolean> {
  const rows = await transaction.query(sql`
    update attachments set channel_id = null, sweep_at = coalesce(incoming_until, now())
    where tenant_id = ${file.tenantId} and id = ${id} and channel_id = ${file.channelId}
      and owner_id = ${file.ownerId} and purpose = 'message' and state in ('reserved', 'stored')
    returning id`)
  return rows.length > 0
}

/**
 * Extends the reservation of an upload in progress to `keptSeconds` after its creation. Returns false if no message can use it.
 */
export async function markSending(
  database: Pick<Database, 'execute'>,
  { tenant_id, id }: Pick<FileRow, 'tenant_id' | 'id'>,
  keptSeconds: number,
): Promise<boolean> {
  const rows = await database.execute(sql`
    update attachments set sweep_at = created_at + make_interval(secs => ${keptSeconds})
    where tenant_id = ${tenant_id} and id = ${id} and state = 'reserved' and channel_id is not null
    returning id`)
  return rows.length > 0
}

/** Marks an upload as interrupted. The sweep looks for it once no new attempt can begin. */
export async function markUnsent(
  database: Pick<Database, 'execute'>,
  { tenant_id, id }: Pick<FileRow, 'tenant_id' | 'id'>,
): Promise<void> {
  await database.execute(sql`
    update attachments set sweep_at = incoming_until
    where tenant_id = ${tenant_id} and id = ${id} and state = 'reserved' and channel_id is not null`)
}

/**
 * Closes a space's buckets until it is brought back or purged: files can neither be read nor stored there, and all
 * files stay.
 * @returns the ids of the buckets that were open
 */
export async function suspendBuckets(transaction: Queryable, spaceId: string): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(sql`
    update storage_buckets set deleted_at = now(), was_active = active, active = false
    where tenant_id = ${spaceId} and deleted_at is null
    returning id`)
  return rows.map((row) => row.id)
}

/** Reopens the buckets that were closed with their space. Returns their ids. */
export async function resumeBuckets(transaction: Queryable, spaceId: string): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(sql`
    update storage_buckets set deleted_at = null, active = was_active, was_active = null
    where tenant_id = ${spaceId} and was_active is not null
    returning id`)
  return rows.map((row) => row.id)
}

/**
 * Leaves the buckets of a purged space to the sweep, which deletes them once they are empty. Buckets that are still open
 * belong to a space whose import was never finished.
 */
export async function giveUpBuckets(transaction: Queryable, spaceId: string): Promise<void> {
  await transaction.query(sql`
    update storage_buckets set was_active = null, active = false, deleted_at = coalesce(deleted_at, now())
    where tenant_id = ${spaceId} and (was_active is not null or deleted_at is null)`)
}

/**
 * Closes a tenant's buckets, which are deleted once empty. A file stored at the same moment is refused and discarded.
 * @returns the ids of the buckets that were open
 */
export async function closeBuckets(transaction: Queryable, tenantId: string): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(sql`
    update storage_buckets set deleted_at = now(), active = false
    where tenant_id = ${tenantId} and deleted_at is null
    returning id`)
  return rows.map((row) => row.id)
}
