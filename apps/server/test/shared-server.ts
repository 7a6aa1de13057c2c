import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { Config } from '#src/config.ts'
import { type RunningServer, type StartOptions, startServer } from '#src/start.ts'
import { cloneDatabase } from './database.ts'
import { passwordCost } from './server.ts'

export interface SharedServer extends RunningServer {
  /** Options to start another server of the installation. */
  shared: Pick<StartOptions, 'config' | 'connection' | 'passwordCost'>
  /** Stops the server and removes its data. All other servers must have been stopped. */
  close(): Promise<void>
}

/** Starts a server whose database and data folder other processes may use at the same time. */
export async function startSharedServer(settings: Config): Promise<SharedServer> {
  const [database, dataDir] = await Promise.all([cloneDatabase(), mkdtemp(join(tmpdir(), 'foyer-test-'))])
  const shared = { config: { ...settings, dataDir }, connection: database.connection, passwordCost }
  const server = await startServer({ ...shared, log: pino({ level: 'silent' }) })
  return {
    ...server,
    shared,
    async close() {
      await server.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
