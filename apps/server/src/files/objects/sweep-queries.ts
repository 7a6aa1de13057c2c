import { noBackupRuns } from '#src/kernel/database/backup-lock.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { endOfHeldFiles } from '#src/kernel/database/snapshot-names.ts'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** An object that nothing shows and that may still exist. */
export interface Remnant {
  tenant_id: string
  id: string
  bucket_id: string
}

/** Limits per run: rows of a kind to examine (`passed`), and rows of one bucket to take (`perBucket`). */
export interface Portion {
  passed: number
  perBucket: number
}

/** Direct uploads that a message may still use: younger than UNCLAIMED_UPLOAD_SECONDS. */
const mayBeNamed = fragment`
  channel_id is not null and incoming_until is not null and created_at > now() - interval '1 day'`

/** Finds expired reservations and unused files, longest overdue first. */
export async function findExpired(
  database: Queryable,
  limit: number,
): Promise<{ tenant_id: string; id: string }[]> {
  return database.query(sql`
    select tenant_id, id from attachments
    where sweep_at <= now() and (state = 'stored' or state = 'reserved' and not (${mayBeNamed}))
    order by sweep_at, id limit ${limit}`)
}

export interface UnsentUpload extends Remnant {
  size_bytes: number
  /** Seconds since the reservation. */
  age_seconds: number
}

/** Takes uploads that can no longer begin; their objects may exist. Schedules the next attempt first. */
export async function takeUnsent(
  database: Database,
  { passed, perBucket }: Portion,
): Promise<UnsentUpload[]> {
  return database.execute<UnsentUpload>(sql`
    with oldest as materialized (
      select tenant_id, id, bucket_id, sweep_at from attachments
      where sweep_at <= now() and state = 'reserved' and ${mayBeNamed}
      order by sweep_at, id limit ${passed}
    ), counted as materialized (
      select tenant_id, id, row_number() over (partition by bucket_id order by sweep_at, id) as place from oldest
    ), taken as materialized (
      select attachments.tenant_id, attachments.id from attachments join counted using (tenant_id, id)
      where counted.place <= ${perBucket} and attachments.sweep_at <= now()
      for update of attachments skip locked
    )
    update attachments set sweep_at = now() + interval '5 minutes'
    from taken where attachments.tenant_id = taken.tenant_id and attachments.id = taken.id
    returning attachments.tenant_id, attachments.id, bucket_id, size_bytes,
      extract(epoch from now() - created_at)::float8 as age_seconds`)
}

/**
 * Takes objects to delete: of deleted files, and a second time a day after removal, because a storage may carry out an
 * old request late. Schedules the next attempt first, so that it survives a crash. Takes few rows per bucket, so that a
 * bucket that does not answer leaves capacity for others. Takes no objects during a backup, which may still copy them,
 * and none that a database kept for a rollback still names.
 */
export async function takeRemnants(database: Database, { passed, perBucket }: Portion): Promise<Remnant[]> {
  return database.execute<Remnant>(sql`
    with oldest as materialized (
      select tenant_id, id, bucket_id, sweep_at from attachments
      where sweep_at <= now() and (state = 'deleted' or state = 'removed' and message_id is null) and ${noBackupRuns}
        and created_at >= ${endOfHeldFiles}
      order by sweep_at, id limit ${passed}
    ), counted as materialized (
      select tenant_id, id, row_number() over (partition by bucket_id order by sweep_at, id) as place from oldest
    ), taken as materialized (
      select attachments.tenant_id, attachments.id from attachments join counted using (tenant_id, id)
      where counted.place <= ${perBucket} and attachments.sweep_at <= now()
      for update of attachments skip locked
    )
    update attachments set sweep_attempts = least(sweep_attempts + 1, 1000),
      sweep_at = now() + least(power(2, least(sweep_attempts, 9)), 360) * interval '1 minute'
    from taken where attachments.tenant_id = taken.tenant_id and attachments.id = taken.id
    returning attachments.tenant_id, attachments.id, bucket_id`)
}

/** Like `takeRemnants`, but for incoming keys whose addresses have expired and that no reservation needs. */
export async function takeIncoming(database: Database, { passed, perBucket }: Portion): Promise<Remnant[]> {
  return database.execute<Remnant>(sql`
    with oldest as materialized (
      select tenant_id, id, bucket_id, incoming_until from attachments
      where incoming_until <= now() and state <> 'reserved'
      order by incoming_until, id limit ${passed}
    ), counted as materialized (
      select tenant_id, id, row_number() over (partition by bucket_id order by incoming_until, id) as place from oldest
    ), taken as materialized (
      select attachments.tenant_id, attachments.id from attachments join counted using (tenant_id, id)
      where counted.place <= ${perBucket} and attachments.incoming_until <= now()
      for update of attachments skip locked
    )
    update attachments set sweep_attempts = least(sweep_attempts + 1, 1000),
      incoming_until = now() + least(power(2, least(sweep_attempts, 9)), 360) * interval '1 minute'
    from taken where attachments.tenant_id = taken.tenant_id and attachments.id = taken.id
    returning attachments.tenant_id, attachments.id, bucket_id`)
}

/** Files of one bucket. */
export interface BucketFiles {
  tenantId: string
  bucketId: string
}

/** Postpones everything in a bucket that does not answer: trying each file would only waste time. */
export async function putOffRemnants(
  database: Database,
  { tenantId, bucketId }: BucketFiles,
  limit: number,
): Promise<void> {
  await database.execute(sql`
    update attachments set sweep_attempts = least(sweep_attempts + 1, 1000),
      sweep_at = now() + least(power(2, least(sweep_attempts, 9)), 360) * interval '1 minute'
    where ctid = any(array(
      select ctid from attachments
      where tenant_id = ${tenantId} and bucket_id = ${bucketId} and sweep_at <= now() and state in ('deleted', 'removed')
      limit ${limit} for update skip locked))`)
}

export async function putOffIncoming(
  database: Database,
  { tenantId, bucketId }: BucketFiles,
  limit: number,
): Promise<void> {
  await database.execute(sql`
    update attachments set sweep_attempts = least(sweep_attempts + 1, 1000),
      incoming_until = now() + least(power(2, least(sweep_attempts, 9)), 360) * interval '1 minute'
    where ctid = any(array(
      select ctid from attachments
      where tenant_id = ${tenantId} and bucket_id = ${bucketId} and incoming_until <= now() and state <> 'reserved'
      limit ${limit} for update skip locked))`)
}

/**
 * Records that the objects were deleted. After the second deletion the row is deleted, too, unless the object of its
 * incoming key still has to be deleted.
 */
export async function markRemoved(
  database: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  await database.execute(sql`
    with forgotten as (
      delete from attachments
      where tenant_id = ${tenantId} and id = any(${ids}) and state = 'removed' and message_id is null
        and incoming_until is null
    )
    update attachments set state = 'removed', sweep_attempts = 0, sweep_at = now() + interval '1 day'
    where tenant_id = ${tenantId} and id = any(${ids})
      and (state = 'deleted' or state = 'removed' and incoming_until is not null)`)
}

export async function markIncomingEmpty(
  database: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  await database.execute(sql`
    update attachments set incoming_until = null, sweep_attempts = 0
    where tenant_id = ${tenantId} and id = any(${ids})`)
}

/**
 * Deletes rows of removed files that no message shows any more. A message keeps the rows of its deleted files, so a row
 * that is still needed is checked again a month later.
 */
export async function forgetUnshown(database: Database, limit: number): Promise<void> {
  await database.execute(sql`
    with due as materialized (
      select tenant_id, id, exists (
          select from messages
          where messages.tenant_id = attachments.tenant_id and messages.channel_id = attachments.channel_id
            and messages.id = message_id) or incoming_until is not null as is_needed
      from attachments
      where sweep_at <= now() and state = 'removed' and message_id is not null
      order by sweep_at, id limit ${limit}
    ), kept as (
      update attachments set sweep_at = now() + interval '30 days'
      from due where is_needed and attachments.tenant_id = due.tenant_id and attachments.id = due.id
    )
    delete from attachments using due
    where not is_needed and attachments.tenant_id = due.tenant_id and attachments.id = due.id`)
}

/** Deletes the rows of deleted buckets, except while an object may be in a bucket or its space can be brought back. */
export async function deleteEmptyBuckets(database: Database): Promise<void> {
  await database.execute(sql`
    delete from storage_buckets where deleted_at is not null and was_active is null and not exists (
      select from attachments
      where attachments.tenant_id = storage_buckets.tenant_id and bucket_id = storage_buckets.id
        and (state <> 'removed' or message_id is null or incoming_until is not null))`)
}
