import { access, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import type { Config } from '#src/config.ts'
import { checkMigrated } from '#src/kernel/database/migrate.ts'
import type { Connection } from '#src/kernel/sql/pooling.ts'
import { launchPostgres } from '#src/postgres/launch.ts'
import { SOCKET_PORT } from '#src/postgres/socket.ts'

const CONNECT_MS = 5000

export interface OpenConnection {
  connection: Connection
  /** Describes the command's database to the operator, without passwords. */
  place: string
  /** False if no server can connect to the database. */
  isShared: boolean
  close(): Promise<void>
}

type Given = Pick<Config, 'databaseUrl' | 'directDatabaseUrl' | 'databasePooling' | 'dataDir'>

/**
 * Connects to the database of the installation: to the address in the settings, to the embedded database of a running
 * server, or to one that it starts for this command. It does not migrate, which only servers do.
 * @throws Error if no server of this version has run with these settings
 */
export async function openConnection(config: Given): Promise<OpenConnection> {
  const opened = await openDatabase(config)
  try {
    await checkMigrated(opened.connection)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Like `openConnection`, but accepts a database of any version. */
export async function openDatabase(config: Given): Promise<OpenConnection> {
  const connectionString = config.directDatabaseUrl ?? config.databaseUrl
  if (connectionString !== undefined) {
    const pooling = config.directDatabaseUrl === undefined ? config.databasePooling : 'none'
    const place = `the database at ${new URL(connectionString).host}`
    return { connection: { connectionString, pooling }, place, isShared: true, close: async () => undefined }
  }
  const running = await findRunning(config.dataDir)
  const place = `DATA_DIR ${resolve(config.dataDir)}`
  if (running !== undefined)
    return { connection: running, place, isShared: true, close: async () => undefined }
  return launch(config.dataDir)
}

/** Returns the connection to the embedded database of a running server. After a kill, the link may point to a dead socket. */
async function findRunning(dataDir: string): Promise<pg.ClientConfig | undefined> {
  const host = await realpath(join(dataDir, 'postgres-socket')).catch(() => undefined)
  if (host === undefined) return undefined
  const connection = { host, port: SOCKET_PORT, user: 'foyer', database: 'foyer' }
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_MS })
  const isThere = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => undefined)
  return isThere ? connection : undefined
}

async function launch(dataDir: string): Promise<OpenConnection> {
  await access(join(dataDir, 'postgres')).catch(() => {
    throw new Error(`no server has run with DATA_DIR=${dataDir}`)
  })
  const postgres = await launchPostgres({ dataDir, log: () => undefined, waitMs: CONNECT_MS })
  const place = `DATA_DIR ${resolve(dataDir)}, whose server does not run`
  return { connection: postgres.connection, place, isShared: false, close: () => postgres.stop() }
}
