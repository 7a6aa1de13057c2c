import pg from 'pg'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import { authJobs } from './auth/jobs.ts'
import type { Config } from './config.ts'
import { createDeps, type Deps } from './deps.ts'
import { upkeepJobs } from './jobs/upkeep.ts'
import { migrateJobs, startWorker } from './jobs/worker.ts'
import type { App } from './kernel/http/types.ts'
import { maintainPartitions } from './kernel/journal.ts'
import { migrate } from './kernel/migrate.ts'
import { keptSecretKey } from './kernel/secret-key.ts'

export interface RunningServer {
  /** Where it listens, like `http://127.0.0.1:8080`. */
  url: string
  deps: Deps
  /** Drains: no new work, what is under way is finished, clients are told to come back. */
  close(): Promise<void>
}

export interface StartOptions {
  config: Config
  connection: pg.ClientConfig
  log: Logger
}

const JOB_CONNECTIONS = 4

/** Brings the database up to date and starts every service on it. */
export async function startServer({ config, connection, log }: StartOptions): Promise<RunningServer> {
  const jobPool = openJobPool(connection, log)
  await migrate(connection)
  await migrateJobs(jobPool, log)
  const secretKey = config.secretKey ?? (await keptSecretKey(config.dataDir))
  const deps = createDeps({ config, log, secretKey, connection })
  await maintainPartitions(deps.database, Date.now())
  const app = await buildApp(deps)
  deps.gateway.attach(app.server)
  const url = await app.listen({ port: config.port, host: config.host })
  const worker = await startWorker(
    jobPool,
    [upkeepJobs(deps), authJobs({ ...deps, publicUrl: config.publicUrl ?? url })],
    log,
  )
  return {
    url,
    deps,
    async close() {
      await worker.stop()
      await closeApp(app, deps)
      await jobPool.end()
    },
  }
}

function openJobPool(connection: pg.ClientConfig, log: Logger): pg.Pool {
  const onError = (error: Error) => log.error({ err: error }, 'the job queue lost its database')
  const pool = new pg.Pool({ ...connection, max: JOB_CONNECTIONS })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

async function closeApp(app: App, deps: Deps): Promise<void> {
  await deps.gateway.drain()
  await app.close()
  await deps.messageWriter.close()
  await deps.database.close()
}
