import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import pino from 'pino'
import { type Config, readConfig } from '#src/config.ts'
import { type RunningServer, startServer } from '#src/start.ts'
import { cloneDatabase } from '../database.ts'
import { passwordCost } from '../server.ts'

/** Database and data folder for several servers, at the same time or one after another. */
export interface Installation {
  connection: pg.ClientConfig
  config: Config
  start(changes?: Partial<Config>): Promise<RunningServer>
  /** Removes the database and the data folder. All servers must have been closed. */
  remove(): Promise<void>
}

export async function makeInstallation(): Promise<Installation> {
  const [database, dataDir] = await Promise.all([cloneDatabase(), mkdtemp(join(tmpdir(), 'foyer-test-'))])
  const config = readConfig({ PORT: '0', VOICE_PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off' })
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' })
  const { connection } = database
  return {
    ...{ connection, config },
    start: (changes) => startServer({ config: { ...config, ...changes }, connection, log, passwordCost }),
    async remove() {
      await database.drop()
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
