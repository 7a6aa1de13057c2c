import {
  MAX_TABLES,
  type StorageOverview,
  type StoragePurpose,
  type StorageSurvey,
} from '@foyer/protocol/operator-storage'
import type { Database } from '#src/kernel/database/database.ts'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { FileKey, Findings, SurveyedFile } from './tally.ts'

/** Files in one step of a survey. */
export const SURVEY_STEP = 2000

/** Task and key of the job that makes a survey. Only one runs at a time. */
export const SURVEY_STORAGE = 'survey_storage'

/**
 * Returns the files after a key, in the order of the primary key, so that each step reads only its own rows, however many
 * there are. Deleted files are left to the sweep.
 */
export function readStep(
  database: Queryable,
  { tenant_id, id }: FileKey,
): Promise<(SurveyedFile & { is_old: boolean })[]> {
  return database.query(sql`
    select attachments.tenant_id, attachments.id, bucket_id, kind as bucket_kind, size_bytes,
      case when state = 'reserved' then 'unfinished' else purpose end as purpose,
      spaces.id is not null as is_space, attachments.created_at < now() - interval '1 hour' as is_old
    from (
      select tenant_id, id, bucket_id, size_bytes, purpose, state, created_at from attachments
      where (tenant_id, id) > (${tenant_id}::uuid, ${id}::uuid) and state in ('reserved', 'stored', 'live')
      order by tenant_id, id limit ${SURVEY_STEP}
    ) as attachments
    join storage_buckets on storage_buckets.tenant_id = attachments.tenant_id and storage_buckets.id = bucket_id
    left join spaces on spaces.id = attachments.tenant_id
    order by attachments.tenant_id, attachments.id`)
}

/** Returns true if the file is in use, so that its object must exist. */
export async function isShown(database: Queryable, { tenant_id, id }: FileKey): Promise<boolean> {
  const rows = await database.query(sql`
    select from attachments where tenant_id = ${tenant_id} and id = ${id} and state in ('stored', 'live')`)
  return rows.length > 0
}

/** Returns the keys that have a row in any state. The sweep deletes the objects of deleted files. */
export async function findKnown(database: Queryable, keys: readonly FileKey[]): Promise<FileKey[]> {
  return database.query<FileKey>(sql`
    select attachments.tenant_id, attachments.id
    from unnest(${keys.map(({ tenant_id }) => tenant_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[])
      as key (tenant_id, id)
    join attachments using (tenant_id, id)`)
}

interface SurveyRow {
  progress: number
  failure: string | null
  ended_at: string | null
  result: Findings | null
}

export async function findSurvey(database: Queryable): Promise<SurveyRow> {
  const [row] = await database.query<SurveyRow>(sql`
    select progress, failure, ended_at, result from storage_surveys`)
  return row ?? { progress: 0, failure: null, ended_at: null, result: null }
}

/** Reads the state from the queue, so that a survey whose process ended does not appear to run. */
export async function surveyState(database: Queryable): Promise<StorageSurvey['state']> {
  const [row] = await database.query<{ is_running: boolean }>(sql`
    select locked_at is not null as is_running from graphile_worker.jobs
    where key = ${SURVEY_STORAGE} and attempts < max_attempts`)
  if (row === undefined) return 'idle'
  return row.is_running ? 'running' : 'waiting'
}

export async function noteProgress(database: Pick<Database, 'execute'>, progress: number): Promise<void> {
  await database.execute(sql`
    insert into storage_surveys (progress) values (${progress})
    on conflict (is_only) do update set progress = excluded.progress, failure = null`)
}

export async function saveFindings(database: Pick<Database, 'execute'>, findings: Findings): Promise<void> {
  await database.execute(sql`
    update storage_surveys set ended_at = now(), failure = null, result = ${JSON.stringify(findings)}::jsonb`)
}

/** Saves the failure of a survey. The findings of an earlier survey are kept. */
export async function saveFailure(database: Pick<Database, 'execute'>, failure: string): Promise<void> {
  await database.execute(sql`update storage_surveys set failure = ${failure}`)
}

const FINDINGS_DAYS = 7

/** Deletes old findings, because they contain ids of spaces and files that may have been erased. */
export async function sweepSurvey(database: Pick<Database, 'execute'>): Promise<void> {
  await database.execute(sql`
    update storage_surveys set result = null, ended_at = null
    where ended_at < now() - make_interval(days => ${FINDINGS_DAYS})`)
}

const fileColumns = fragment`
  attachments.id, filename, purpose, size_bytes as bytes, attachments.owner_id, spaces.id as space_id, spaces.name as space_name,
  attachments.created_at`

export interface FileOfSurvey {
  id: string
  filename: string
  purpose: StoragePurpose
  bytes: number
  owner_id: string
  space_id: string | null
  space_name: string | null
  created_at: string
}

/** Returns the files that still exist, largest first. Files of spaces that are being built or purged are omitted. */
export function listFiles(database: Queryable, keys: readonly FileKey[]): Promise<FileOfSurvey[]> {
  return database.query<FileOfSurvey>(sql`
    select ${fileColumns}
    from unnest(${keys.map(({ tenant_id }) => tenant_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[])
      as key (tenant_id, id)
    join attachments on attachments.tenant_id = key.tenant_id and attachments.id = key.id
    left join spaces on spaces.id = attachments.tenant_id
    where state in ('stored', 'live') and purge_begun_at is null
    order by size_bytes desc, attachments.id`)
}

export function listNames(
  database: Queryable,
  spaceIds: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return database.query(sql`
    select id, name from spaces where id = any(${spaceIds}::uuid[]) and purge_begun_at is null`)
}

export interface BucketOfSurvey {
  id: string
  name: string
  bucket_name: string
  space_id: string
  space_name: string
}

/** Lists buckets, without their addresses and credentials. */
export function listBuckets(database: Queryable, keys: readonly FileKey[]): Promise<BucketOfSurvey[]> {
  return database.query<BucketOfSurvey>(sql`
    select storage_buckets.id, storage_buckets.name, bucket_name, spaces.id as space_id, spaces.name as space_name
    from unnest(${keys.map(({ tenant_id }) => tenant_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[])
      as key (tenant_id, id)
    join storage_buckets on storage_buckets.tenant_id = key.tenant_id and storage_buckets.id = key.id
    join spaces on spaces.id = storage_buckets.tenant_id and purge_begun_at is null`)
}

/**
 * Lists tables. Sizes come from the file system, and rows from the planner's statistics: no table is read. Partitions
 * are added to their table.
 */
export function listTables(database: Queryable): Promise<StorageOverview['tables']> {
  return database.query(sql`
    select coalesce(pg_partition_root(pg_class.oid)::regclass, pg_class.oid::regclass)::text as name,
      sum(pg_total_relation_size(pg_class.oid))::bigint as bytes, sum(greatest(reltuples, 0))::bigint as rows
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname in ('public', 'graphile_worker')
    group by 1 order by bytes desc, name limit ${MAX_TABLES}`)
}
