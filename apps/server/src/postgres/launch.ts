import { join } from 'node:path'
import pg from 'pg'
import { chooseAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { openDataDir } from './data-dir.ts'
import { canBindLives } from './guarded.ts'
import { removeHalfMade } from './half-made-databases.ts'
import { ensureCluster } from './initdb.ts'
import type { Log } from './log.ts'
import { type Ownership, takeOwnership } from './ownership.ts'
import type { Cluster } from './postmaster.ts'
import { DEFAULT_SETTINGS, sharedMemorySettings } from './settings.ts'
import { forgetSocketFolder, makeSocketFolder, recordSocketFolder, SOCKET_PORT } from './socket.ts'
import { RELAUNCH_DELAYS_MS, Supervisor } from './supervisor.ts'

const MAX_WAIT_MS = 30_000

export interface LaunchOptions {
  dataDir: string
  log: Log
  settings?: Record<string, string>
  /** Time another Foyer on the folder may take to end. In an overlapping deployment it drains for 10 s. */
  waitMs?: number
  /** Delays between the attempts to restart PostgreSQL; the last one repeats. */
  relaunchDelaysMs?: readonly number[]
}

export interface PostgresAddress {
  /** The folder of the socket. */
  host: string
  port: number
  user: string
  database: string
}

export interface EmbeddedPostgres {
  connection: PostgresAddress
  /** Id of the main process. It changes when the process died and was restarted. */
  readonly pid: number
  /** The reason why PostgreSQL does not answer, without private details; undefined while it runs. */
  readonly trouble: string | undefined
  stop(): Promise<void>
  /** Resolves when PostgreSQL has ended for good: stopped, or too damaged to start. */
  exited: Promise<number | null>
}

/**
 * Starts the PostgreSQL of DATA_DIR, which the first start creates, and keeps it running. Waits for another Foyer on
 * the folder to end. Throws errors that an operator can act on.
 */
export async function launchPostgres(options: LaunchOptions): Promise<EmbeddedPostgres> {
  const dataDir = await openDataDir(options.dataDir)
  const { waitMs = MAX_WAIT_MS, log } = options
  const ownership = await takeOwnership({ dataDir, folder: databaseFolder(dataDir), waitMs, log })
  return launchOwned(dataDir, options, ownership).catch(async (error) => {
    await ownership.release()
    throw error
  })
}

async function launchOwned(
  dataDir: string,
  options: LaunchOptions,
  ownership: Ownership,
): Promise<EmbeddedPostgres> {
  const link = join(dataDir, 'postgres-socket')
  const cluster = await prepare(dataDir, options, ownership.descriptor)
  const supervisor = new Supervisor(cluster, options.relaunchDelaysMs ?? RELAUNCH_DELAYS_MS)
  const connection = { host: cluster.socketFolder, port: SOCKET_PORT, user: 'foyer', database: 'foyer' }
  try {
    await supervisor.start()
    await recordSocketFolder(link, cluster.socketFolder)
    await ensureDatabase(connection)
    await removeHalfMade(cluster.folder, connection)
  } catch (error) {
    await supervisor.stop()
    await forgetSocketFolder(link, cluster.socketFolder)
    throw error
  }

  const exited = supervisor.watch().finally(async () => {
    await forgetSocketFolder(link, cluster.socketFolder)
    await ownership.release()
  })
  return {
    connection,
    exited,
    get pid() {
      return supervisor.pid
    },
    get trouble() {
      return supervisor.trouble
    },
    async stop() {
      await supervisor.stop()
      await exited
    },
  }
}

function databaseFolder(dataDir: string): string {
  return join(dataDir, 'postgres')
}

async function prepare(dataDir: string, options: LaunchOptions, inherited: number): Promise<Cluster> {
  const folder = databaseFolder(dataDir)
  const settings = { ...DEFAULT_SETTINGS, ...(await sharedMemorySettings()), ...options.settings }
  const account = await chooseAccount(folder)
  const [binaries, bound] = await Promise.all([findBinaries(account, options.log), canBindLives()])
  await ensureCluster({ folder, account, binaries, bound, inherited, settings })
  const socketFolder = await makeSocketFolder(account)
  return { folder, socketFolder, binaries, account, bound, inherited, settings, log: options.log }
}

async function ensureDatabase(connection: PostgresAddress): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  // A lost connection also fails the running statement. Without a listener, its event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      connection.database,
    ])
    if (rowCount === 0) await client.query(`create database ${connection.database}`)
  } finally {
    await client.end()
  }
}
