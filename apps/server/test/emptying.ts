import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { connectionOf } from './database.ts'
import { until } from './until.ts'
import { query } from './valkey/cluster.ts'

/**
 * Truncates all tables that have rows, except migrations and running processes. Deleted rows would slow down later
 * queries, because nothing vacuums.
 */
const TRUNCATE_ALL = `
  do $$
  declare
    names text;
  begin
    select string_agg(oid::regclass::text, ', ') into names
    from pg_class
    where relkind = 'r' and pg_relation_size(oid) > 0
      and relname not in ('migrations', 'voice_hosts', 'cut_off_processes')
      and (relnamespace = 'public'::regnamespace
        or relnamespace = 'graphile_worker'::regnamespace and relname in ('_private_jobs', '_private_job_queues'));
    if names is not null then
      execute 'truncate ' || names || ' cascade';
    end if;
  end $$`
/** PostgreSQL error codes: deadlock detected, and lock not available within the timeout. */
const LOCKED = ['40P01', '55P03']
const MAX_ATTEMPTS = 20

/** Truncates all tables. Retries while the server holds a lock. */
export async function emptyDatabase(connection: pg.ClientConfig, attempts = MAX_ATTEMPTS): Promise<void> {
  try {
    await query({ ...connection, options: '-c lock_timeout=500ms' }, TRUNCATE_ALL)
  } catch (error) {
    if (attempts === 1 || !isLocked(error)) throw error
    await emptyDatabase(connection, attempts - 1)
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof pg.DatabaseError && LOCKED.includes(error.code ?? '')
}

/** Removes all rows, stored files and mails. The server is then as if newly started. */
export async function emptyServer(server: RunningServer): Promise<void> {
  await endJobs(server)
  await emptyDatabase(await connectionOf(server))
  for (const folder of ['files', 'mailbox']) await emptyFolder(join(server.deps.config.dataDir, folder))
}

/** Waits for running jobs, which may still write a file or a mail. Deletes jobs that have not started. */
async function endJobs({ deps: { database } }: RunningServer): Promise<void> {
  const areOver = async () => {
    await database.execute(sql`delete from graphile_worker._private_jobs where locked_at is null`)
    return (await database.execute(sql`select from graphile_worker._private_jobs limit 1`)).length === 0
  }
  try {
    await until(areOver, 'jobs of the file before still run')
  } catch (error) {
    const running = await database.query<{ name: string }>(sql`
      select task_identifier as name from graphile_worker.jobs`)
    throw new Error(`still running: ${running.map(({ name }) => name).join()}`, { cause: error })
  }
}

async function emptyFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  for (const { parentPath, name } of files) await rm(join(parentPath, name), { force: true })
}
