import { type BackupEntry, type BackupRun, MAX_BACKUPS } from '@foyer/protocol/operator-backups'
import type { Database } from '#src/kernel/database/database.ts'
import { newId } from '#src/kernel/ids.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { BackupFacts } from './facts.ts'

type Executor = Pick<Database, 'execute'>

/** Failure of a run that is still marked as running when the next begins: runs never overlap, so its process has ended. */
const LOST = 'it ended before it was done: the server stopped'

/** Notes that a backup begins. */
export async function beginRun(database: Executor, isScheduled: boolean): Promise<void> {
  await database.execute(sql`
    update backup_runs set state = 'failed', failure = ${LOST}, ended_at = now() where state = 'running'`)
  await database.execute(sql`
    insert into backup_runs (id, is_scheduled, state, progress)
    values (${newId()}, ${isScheduled}, 'running', 'database')`)
  await forgetOld(database)
}

async function forgetOld(database: Executor): Promise<void> {
  await database.execute(sql`
    delete from backup_runs where id in (select id from backup_runs order by id desc offset ${MAX_BACKUPS})`)
}

export async function noteFiles(database: Executor): Promise<void> {
  await database.execute(sql`update backup_runs set progress = 'files' where state = 'running'`)
}

export async function endRun(database: Executor, facts: BackupFacts): Promise<void> {
  await database.execute(sql`
    update backup_runs set state = 'made', ended_at = now(), snapshot = ${facts.snapshot}, files = ${facts.files},
      file_bytes = ${facts.file_bytes}, rows = ${facts.rows}
    where state = 'running'`)
}

/** Notes a failure, also of a backup that could not even begin. */
export async function failRun(database: Executor, isScheduled: boolean, failure: string): Promise<void> {
  await database.execute(sql`
    with ended as (
      update backup_runs set state = 'failed', ended_at = now(), failure = ${failure} where state = 'running'
      returning id
    )
    insert into backup_runs (id, is_scheduled, state, ended_at, failure)
    select ${newId()}::uuid, ${isScheduled}::boolean, 'failed', now(), ${failure}
    where not exists (select from ended)`)
  await forgetOld(database)
}

export interface RunRow extends Omit<BackupEntry, 'at' | 'kind'> {
  is_scheduled: boolean
  begun_at: string
  snapshot: string | null
}

/** Lists the runs, newest first. */
export function listRuns(database: Queryable): Promise<RunRow[]> {
  return database.query<RunRow>(sql`
    select is_scheduled, state, begun_at, snapshot, files, file_bytes, rows, failure
    from backup_runs order by id desc limit ${MAX_BACKUPS}`)
}

/** Task and key of the job for a backup that an operator requests. */
export const BACK_UP_NOW = 'back_up_now'

/** Reads from the queue whether a backup is running, so that a backup whose process ended does not appear to run. */
export async function findRunState(database: Queryable): Promise<BackupRun> {
  const [row] = await database.query<{ is_running: boolean; is_asked: boolean; progress: string | null }>(sql`
    select exists (
        select from graphile_worker.jobs where task_identifier in ('back_up', ${BACK_UP_NOW}) and locked_at is not null
      ) as is_running,
      exists (select from graphile_worker.jobs where key = ${BACK_UP_NOW} and attempts < max_attempts) as is_asked,
      (select progress from backup_runs where state = 'running' order by id desc limit 1) as progress`)
  const { is_running: isRunning = false, is_asked: isAsked = false, progress = null } = row ?? {}
  if (isRunning && progress !== null) return { state: progress === 'files' ? 'files' : 'database' }
  return { state: isAsked ? 'waiting' : 'idle' }
}
