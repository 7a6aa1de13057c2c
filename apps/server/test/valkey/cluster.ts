import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import pino from 'pino'
import { migrateJobs } from '#src/jobs/worker.ts'
import { Database } from '#src/kernel/database/database.ts'
import { makePartitions } from '#src/kernel/database/journal-partitions.ts'
import { migrate } from '#src/kernel/database/migrate.ts'
import { openPool } from '#src/kernel/sql/pool.ts'
import { launchPostgres } from '#src/postgres/launch.ts'
import { isAlive } from '#src/postgres/occupant.ts'
import { removeRecordedFolder } from '#src/postgres/socket.ts'

/** Server for test databases, and the migrated database to clone. FOYER_TEST_PG passes it on as JSON. */
export interface TestCluster {
  server: pg.ClientConfig
  template: string
}

export interface RunningTestCluster extends TestCluster {
  stop(): Promise<void>
}

const FOLDER_PREFIX = 'foyer-test-cluster-'
/** Folder of an in-memory file system. In containers, it often has only 64 MB. */
const MEMORY_FOLDER = '/dev/shm'
/** Free space required in the memory folder, in bytes: several times what a run needs. */
const MIN_MEMORY_BYTES = 2 ** 31

/**
 * Settings for speed. The data is not needed after the run. `shared_buffers` is small, because creating or dropping a database
 * searches all of it. Plans are generic, because planning statements for their values would take a quarter of PostgreSQL's CPU
 * time. Tests of plans set `plan_cache_mode` themselves.
 */
const THROW_AWAY_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '200',
  shared_buffers: '128MB',
  autovacuum: 'off',
  plan_cache_mode: 'force_generic_plan',
}

/** Starts a PostgreSQL for the tests, or uses the one of DATABASE_URL, and prepares a migrated database to clone. */
export async function startTestCluster(): Promise<RunningTestCluster> {
  const url = process.env.DATABASE_URL ?? ''
  const { server, stop } = url === '' ? await launchThrowAway() : useExternal(url)
  const template = `foyer_template_${randomBytes(4).toString('hex')}`
  try {
    await query(server, `create database ${template}`)
    await makeTables(connectionTo(server, template))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    server,
    template,
    async stop() {
      if (url !== '') await query(server, `drop database ${template} with (force)`)
      await stop()
    },
  }
}

/** Creates all tables that a server creates when it starts. Servers in tests then start faster. */
async function makeTables(connection: pg.ClientConfig): Promise<void> {
  await migrate(connection)
  const jobs = openPool({ ...connection, max: 1 }, fail)
  const database = new Database({ connection, onError: fail, onCommit: async () => undefined })
  try {
    await migrateJobs(jobs.pool, pino({ level: 'silent' }))
    await makePartitions(database, Date.now())
  } finally {
    await database.close()
    await jobs.close()
  }
}

function fail(error: Error): never {
  throw error
}

export function connectionTo(server: pg.ClientConfig, database: string): pg.ClientConfig {
  if (server.connectionString === undefined) return { ...server, database }
  // A database in the connection string takes precedence over the `database` option.
  const url = new URL(server.connectionString)
  url.pathname = `/${database}`
  return { ...server, connectionString: url.href }
}

export async function query(connection: pg.ClientConfig, text: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(text).finally(() => client.end())
}

function useExternal(url: string): { server: pg.ClientConfig; stop: () => Promise<void> } {
  return { server: { connectionString: url }, stop: async () => {} }
}

async function launchThrowAway(): Promise<{ server: pg.ClientConfig; stop: () => Promise<void> }> {
  const folder = await findFolder()
  await removeLeftovers(folder)
  const dataDir = join(folder, `${FOLDER_PREFIX}${process.pid}`)
  await mkdir(dataDir, { mode: 0o700 })
  const lines: string[] = []
  const postgres = await launchPostgres({
    dataDir,
    settings: THROW_AWAY_SETTINGS,
    log: (line) => lines.push(line),
  })
  return {
    server: { ...postgres.connection },
    async stop() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/**
 * Prefers the memory folder: each new database has hundreds of files. For each file created, ext4 searches all inodes deleted
 * in the last seconds.
 */
async function findFolder(): Promise<string> {
  const memory = await statfs(MEMORY_FOLDER).catch(() => undefined)
  if (memory === undefined) return tmpdir()
  return memory.bavail * memory.bsize < MIN_MEMORY_BYTES ? tmpdir() : MEMORY_FOLDER
}

/** Removes the folders of killed runs. Their PostgreSQL has ended with them. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(FOLDER_PREFIX))
  const dead = names.filter((name) => !isAlive(Number(name.slice(FOLDER_PREFIX.length))))
  for (const name of dead) await removeLeftover(join(folder, name))
}

async function removeLeftover(folder: string): Promise<void> {
  const owner = await stat(folder).catch(() => undefined)
  // Folders of other users cannot be read.
  if (owner?.uid !== process.getuid?.()) return
  await removeRecordedFolder(join(folder, 'postgres-socket'))
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
}
