import { EventEmitter } from 'node:events'
import { Logger, parseCrontab, run, runMigrations, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { Logger as Log } from 'pino'
import type { JobTable } from '#src/kernel/jobs.ts'
import { patientPool } from './patient-pool.ts'
import { keepBeating } from './worker-beats.ts'

/** Of one worker, unless it says otherwise. */
const CONCURRENT_JOBS = 4
const POLL_INTERVAL_MS = 2000

/** Makes the queue's own tables. */
export async function migrateJobs(pool: pg.Pool, log: Log): Promise<void> {
  await runMigrations({ pgPool: pool, logger: logTo(log) })
}

export interface Worker {
  /** Resolves once the jobs that run are at an end. */
  stop(): Promise<void>
}

export interface WorkerDeps {
  pool: pg.Pool
  log: Log
}

/**
 * Runs what is enqueued and what the schedule says, until `stop`. Several processes share one queue, and so may several
 * workers of one: jobs that wait for strangers have their own, so that no other waits with them.
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
