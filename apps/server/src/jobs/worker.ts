import { EventEmitter } from 'node:events'
import { Logger, parseCrontab, run, runMigrations, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { Logger as Log } from 'pino'
import type { JobTable } from '#src/kernel/jobs.ts'
import { patientPool } from './patient-pool.ts'
import { keepBeating } from './worker-beats.ts'

/** Simultaneous jobs of a worker, by default. */
const CONCURRENT_JOBS = 4
const POLL_INTERVAL_MS = 2000

/** Creates the queue's tables. */
export async function migrateJobs(pool: pg.Pool, log: Log): Promise<void> {
  await runMigrations({ pgPool: pool, logger: logTo(log) })
}

export interface Worker {
  /** Resolves once the running jobs are done. */
  stop(): Promise<void>
}

export interface WorkerDeps {
  pool: pg.Pool
  log: Log
}

/**
 * Runs queued and scheduled jobs until `stop`. Several processes share a queue, and a process may have several workers:
 * jobs that wait for other hosts have workers of their own, so that no other job waits with them.
 */
export async function startWorker(
  { pool, log }: WorkerDeps,
  tables: readonly JobTable[],
  concurrency = CONCURRENT_JOBS,
): Promise<Worker> {
  const handlers = tables.flatMap((table) => Object.entries(table.handlers))
  const events: WorkerEvents = new EventEmitter()
  const beats = new DisposableStack()
  events.on('pool:create', ({ workerPool }) => beats.defer(keepBeating(pool, workerPool.id, log)))
  const runner = await run({
    events,
    pgPool: patientPool(pool),
    logger: logTo(log),
    concurrency,
    pollInterval: POLL_INTERVAL_MS,
    noHandleSignals: true,
    noPreparedStatements: false,
    taskList: Object.fromEntries(handlers),
    parsedCronItems: parseCrontab(tables.flatMap((table) => table.schedule).join('\n')),
  })
  return {
    async stop() {
      await runner.stop()
      beats.dispose()
    },
  }
}

function logTo(log: Log): Logger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  return new Logger((scope) => (level, message) => {
    log[levels[level]]({ jobs: scope.taskIdentifier ?? scope.label }, message)
  })
}
