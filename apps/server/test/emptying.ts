import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { connectionOf } from './database.ts'
import { until } from './until.ts'

/** Finds the tables that have or had rows, except migrations and running processes. */
const FIND_TABLES = `
  select oid::regclass::text as name
  from pg_class
  where relkind = 'r' and pg_relation_size(oid) > 0
    and relname not in ('migrations', 'voice_hosts', 'cut_off_processes')
    and (relnamespace = 'public'::regnamespace
      or relnamespace = 'graphile_worker'::regnamespace and relname in ('_private_jobs', '_private_job_queues'))`
/**
 * Waits for locks for half a second. The role `replica` disables triggers, so that foreign keys do not prevent deletions.
 * Only superusers may set it.
 */
const OPTIONS = '-c lock_timeout=500ms -c session_replication_role=replica'
/** PostgreSQL error codes: deadlock detected, and lock not available within the timeout. */
const LOCKED = ['40P01', '55P03']
const MAX_ATTEMPTS = 20

/** Deletes all rows. Retries while the server holds a lock. */
export async function emptyDatabase(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, options: OPTIONS })
  await client.connect()
  try {
    await emptyUnlocked(client)
  } finally {
    await client.end()
  }
}

async function emptyUnlocked(client: pg.Client, attempts = MAX_ATTEMPTS): Promise<void> {
  try {
    await emptyTables(client)
  } catch (error) {
    if (attempts === 1 || !isLocked(error)) throw error
    await emptyUnlocked(client, attempts - 1)
  }
}

/**
 * Deletes instead of truncating, which takes an eighth of PostgreSQL's CPU time in a batch. The lock waits for transactions that
 * write, whose new rows a deletion would not see. It allows reads.
 */
async function emptyTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(FIND_TABLES)
  if (rows.length === 0) return
  const tables = rows.map(({ name }) => name).join(', ')
  const deletions = rows.map(({ name }) => `delete from ${name}`)
  // One query of several statements is one transaction.
  await client.query([`lock table ${tables} in share row exclusive mode`, ...deletions].join('; '))
  // Deleted rows would slow down later queries, and nothing else vacuums.
  await client.query(`vacuum ${tables}`)
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
