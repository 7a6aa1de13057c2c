import type { Export } from '@foyer/protocol/exports'
import { EXPORT_SECONDS } from '@foyer/protocol/limits'
import type { Database } from '#src/kernel/database/database.ts'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { ExportRow, Order } from './rows.ts'

const columns = fragment`
  id, user_id, kind, subject_id, state, failure, attempts, attachment_id, size_bytes, created_at, ready_at, expires_at`

/** Lists the person's exports of this kind that have not expired, the newest first. */
export function listExports(
  database: Queryable,
  { userId, kind }: Pick<Order, 'userId' | 'kind'>,
): Promise<ExportRow[]> {
  return database.query<ExportRow>(sql`
    select ${columns} from exports
    where user_id = ${userId} and kind = ${kind} and expires_at > now()
    order by id desc`)
}

/** Finds an export by its id, and by its user, kind and subject, so that knowing an id is not enough. */
export async function findExport(
  database: Queryable,
  { userId, kind, subjectId }: Order,
  id: string,
): Promise<ExportRow | undefined> {
  const [found] = await database.query<ExportRow>(sql`
    select ${columns} from exports
    where id = ${id} and user_id = ${userId} and kind = ${kind} and subject_id = ${subjectId} and expires_at > now()`)
  return found
}

/**
 * Returns true for the session that requested the export, and for later sessions, because the person has logged in since.
 * Returns false for other, older sessions, which may have been stolen before.
 */
export async function mayDownload(
  database: Queryable,
  exportId: string,
  sessionId: string,
): Promise<boolean> {
  const rows = await database.query(sql`
    select from exports where id = ${exportId} and (session_id = ${sessionId} or exists(
      select from sessions where sessions.id = ${sessionId} and sessions.created_at > exports.created_at))`)
  return rows.length > 0
}

/** Locks the person's existing export of this kind and subject. */
export async function lockEarlier(
  transaction: Queryable,
  { userId, kind, subjectId }: Order,
): Promise<(ExportRow & { is_expired: boolean }) | undefined> {
  const [earlier] = await transaction.query<ExportRow & { is_expired: boolean }>(sql`
    select ${columns}, expires_at <= now() as is_expired from exports
    where user_id = ${userId} and kind = ${kind} and subject_id = ${subjectId}
    for update`)
  return earlier
}

/** Returns undefined if another request was inserted at the same time. */
export async function insertExport(
  transaction: Queryable,
  { userId, kind, subjectId }: Order,
  { id, sessionId }: { id: string; sessionId: string },
): Promise<ExportRow | undefined> {
  const [row] = await transaction.query<ExportRow>(sql`
    insert into exports (id, user_id, session_id, kind, subject_id, expires_at)
    values (${id}, ${userId}, ${sessionId}, ${kind}, ${subjectId}, now() + make_interval(secs => ${EXPORT_SECONDS}))
    on conflict do nothing
    returning ${columns}`)
  return row
}

/**
 * Begins a run. Results of earlier runs are ignored from now on. Returns undefined for an export that was deleted, is ready
 * or has failed.
 */
export async function beginRun(database: Database, id: string): Promise<ExportRow | undefined> {
  const [row] = await database.execute<ExportRow>(sql`
    update exports set state = 'running', attempts = attempts + 1
    where id = ${id} and state in ('queued', 'running') and expires_at > now()
    returning ${columns}`)
  return row
}

/** Locks the export of a run. Returns false if the export was deleted, or if another run has begun. */
export async function holdRun(
  transaction: Queryable,
  { id, attempts }: Pick<ExportRow, 'id' | 'attempts'>,
): Promise<boolean> {
  const rows = await transaction.query(sql`
    select from exports where id = ${id} and attempts = ${attempts} and state = 'running' for update`)
  return rows.length > 0
}

export async function markReady(
  transaction: Queryable,
  id: string,
  { attachmentId, sizeBytes }: { attachmentId: string; sizeBytes: number },
): Promise<void> {
  await transaction.query(sql`
    update exports set state = 'ready', attachment_id = ${attachmentId}, size_bytes = ${sizeBytes}, ready_at = now(),
      expires_at = now() + make_interval(secs => ${EXPORT_SECONDS})
    where id = ${id}`)
}

export async function markFailed(
  database: Database,
  { id, attempts }: Pick<ExportRow, 'id' | 'attempts'>,
  failure: NonNullable<Export['failure']>,
): Promise<void> {
  await database.execute(sql`
    update exports set state = 'failed', failure = ${failure}
    where id = ${id} and attempts = ${attempts} and state = 'running'`)
}

/** Deletes expired exports, except locked ones. Returns their ids. */
export async function takeExpired(transaction: Queryable, limit: number): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(sql`
    delete from exports where id = any(array(
      select id from exports where expires_at <= now() order by expires_at limit ${limit} for update skip locked))
    returning id`)
  return rows.map(({ id }) => id)
}

/** Deletes an export in any state. */
export async function takeExport(transaction: Queryable, id: string): Promise<void> {
  await transaction.query(sql`delete from exports where id = ${id}`)
}

/** Deletes the person's exports. Returns their ids. */
export async function takeExportsBy(transaction: Queryable, userId: string): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(
    sql`delete from exports where user_id = ${userId} returning id`,
  )
  return rows.map(({ id }) => id)
}
