import type { SpaceImportResult } from '@foyer/protocol/space-imports'
import type { Database } from '#src/kernel/database/database.ts'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { ImportRow } from './rows.ts'

/** Hours for which an import is kept after its upload began, and again after its end. */
const KEPT_HOURS = 24

const columns = fragment`
  id, user_id, state, failure, failure_message, attempts, attachment_id, built_id, result, created_at, expires_at`

/** Returns undefined while the person has another unfinished import. */
export async function insertImport(
  transaction: Queryable,
  { id, userId }: { id: string; userId: string },
): Promise<ImportRow | undefined> {
  const [row] = await transaction.query<ImportRow>(sql`
    insert into space_imports (id, user_id, state, expires_at)
    values (${id}, ${userId}, 'uploading', now() + make_interval(hours => ${KEPT_HOURS}::integer))
    on conflict do nothing
    returning ${columns}`)
  return row
}

/**
 * Deletes and returns the person's uploads, including one that another request is still receiving: the newer one
 * replaces it.
 */
export async function takeUploads(transaction: Queryable, userId: string): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(sql`
    delete from space_imports where user_id = ${userId} and state = 'uploading' returning id`)
  return rows.map(({ id }) => id)
}

/** Deletes an import. Returns false if it was already gone. */
export async function takeImport(transaction: Queryable, id: string): Promise<boolean> {
  const taken = await transaction.query(sql`delete from space_imports where id = ${id} returning id`)
  return taken.length > 0
}

/** Finds an import by its id and its owner, so that an id alone is not enough. */
export async function findImport(
  database: Queryable,
  { id, userId }: { id: string; userId: string },
): Promise<ImportRow | undefined> {
  const [row] = await database.query<ImportRow>(sql`
    select ${columns} from space_imports where id = ${id} and user_id = ${userId} and expires_at > now()`)
  return row
}

/** Maximum listed imports. A person makes far fewer in KEPT_HOURS, because only one can be uploaded at a time. */
const MAX_LISTED = 100

export async function listImportsOf(database: Queryable, userId: string): Promise<ImportRow[]> {
  return database.query<ImportRow>(sql`
    select ${columns} from space_imports where user_id = ${userId} and expires_at > now()
    order by id desc limit ${MAX_LISTED}`)
}

/** Returns undefined if a newer upload has replaced this import. */
export async function markQueued(
  transaction: Queryable,
  { id, attachmentId }: { id: string; attachmentId: string },
): Promise<ImportRow | undefined> {
  const [row] = await transaction.query<ImportRow>(sql`
    update space_imports set state = 'queued', attachment_id = ${attachmentId}
    where id = ${id} and state = 'uploading'
    returning ${columns}`)
  return row
}

/**
 * Begins a run. Returns undefined for an import that was deleted or has ended. In the returned row, `built_id` is the space
 * that an earlier run was building.
 */
export async function beginRun(database: Database, id: string): Promise<ImportRow | undefined> {
  const [row] = await database.execute<ImportRow>(sql`
    update space_imports set state = 'running', attempts = attempts + 1
    where id = ${id} and state in ('queued', 'running') and expires_at > now()
    returning ${columns}`)
  return row
}

/** A run of an import, numbered by `attempts`. */
export type Run = Pick<ImportRow, 'id' | 'attempts'>

/** Locks the import of a run. Returns false if the import was deleted, or if another run has begun. */
export async function holdRun(transaction: Queryable, { id, attempts }: Run): Promise<boolean> {
  const rows = await transaction.query(sql`
    select from space_imports where id = ${id} and attempts = ${attempts} and state = 'running' for update`)
  return rows.length > 0
}

export async function saveBuilt(transaction: Queryable, { id }: Run, spaceId: string): Promise<void> {
  await transaction.query(sql`update space_imports set built_id = ${spaceId} where id = ${id}`)
}

export async function markDone(
  transaction: Queryable,
  { id }: Run,
  result: SpaceImportResult,
): Promise<void> {
  await transaction.query(sql`
    update space_imports set state = 'done', result = ${JSON.stringify(result)},
      expires_at = now() + make_interval(hours => ${KEPT_HOURS}::integer)
    where id = ${id}`)
}

export async function markFailed(
  transaction: Queryable,
  { id }: Run,
  { code, message }: { code: string; message: string },
): Promise<void> {
  await transaction.query(sql`
    update space_imports set state = 'failed', failure = ${code}, failure_message = ${message}, built_id = null,
      expires_at = now() + make_interval(hours => ${KEPT_HOURS}::integer)
    where id = ${id}`)
}

export type TakenImport = Pick<ImportRow, 'id' | 'built_id'>

/** Deletes and returns expired imports. */
export async function takeExpired(transaction: Queryable, limit: number): Promise<TakenImport[]> {
  return transaction.query<TakenImport>(sql`
    delete from space_imports where id = any(array(
      select id from space_imports where expires_at <= now() order by expires_at limit ${limit} for update skip locked))
    returning id, built_id`)
}

/** Deletes and returns a person's imports. */
export async function takeImportsBy(transaction: Queryable, userId: string): Promise<TakenImport[]> {
  return transaction.query<TakenImport>(sql`
    delete from space_imports where user_id = ${userId} returning id, built_id`)
}
