import { Logger, parseCrontab, type Runner, run, runMigrations } from 'graphile-worker'
import type pg from 'pg'
import type { Logger as Log } from 'pino'
import type { JobTable } from '#src/kernel/jobs.ts'

const CONCURRENT_JOBS = 4
const POLL_INTERVAL_MS = 2000

/** Makes the queue's own tables. */
export async function migrateJobs(pool: pg.Pool, log: Log): Promise<void> {
  await runMigrations({ pgPool: pool, logger: logTo(log) })
}

/** Runs what is enqueued and what the schedule says, until `stop`. Several processes share one queue. */
export async function startWorker(pool: pg.Pool, tables: readonly JobTable[], log: Log): Promise<Runner> {
  const handlers = tables.flatMap((table) => Object.entries(table.handlers))
  return run({
    pgPool: pool,
    logger: logTo(log),
    concurrency: CONCURRENT_JOBS,
    pollInterval: POLL_INTERVAL_MS,
    noHandleSignals: true,
    noPreparedStatements: false,
    taskList: Object.fromEntries(handlers),
    parsedCronItems: parseCrontab(tables.flatMap((table) => table.schedule).join('\n')),
  })
}

function logTo(log: Log): Logger {
  const levels = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const
  return new Logger((scope) => (level, message) => {
    log[levels[level]]({ jobs: scope.taskIdentifier ?? scope.label }, message)
  })
}
