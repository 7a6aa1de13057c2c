import type pg from 'pg'
import { Gauge } from 'prom-client'
import { type CountedJobs, countJobs } from './job-counts.ts'
import type { Metrics } from './metrics.ts'
import type { Queryable } from './sql/sql.ts'

/** Exposes the running version, for dashboards that compare figures before and after an update. */
export function meterBuild({ registry }: Metrics, version: string): void {
  new Gauge({
    name: 'foyer_build_info',
    help: 'Running version; the value is always 1',
    labelNames: ['version', 'node_version'],
    registers: [registry],
  }).set({ version, node_version: process.version }, 1)
}

/** Exposes the connections of each pool, measured on request. */
export function meterPools({ registry }: Metrics, pools: Readonly<Record<string, pg.Pool>>): void {
  const registers = [registry]
  const eachPool = Object.entries(pools)
  new Gauge({
    name: 'foyer_database_connections',
    help: 'Open connections to the database, by pool and by state: in_use or idle',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount }] of eachPool) {
        this.set({ pool, state: 'in_use' }, totalCount - idleCount)
        this.set({ pool, state: 'idle' }, idleCount)
      }
    },
  })
  new Gauge({
    name: 'foyer_database_connections_max',
    help: 'Connections to the database that a pool may open',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { options }] of eachPool) this.set({ pool }, options.max)
    },
  })
  new Gauge({
    name: 'foyer_database_waiting',
    help: 'Requests that wait for a connection to the database',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { waitingCount }] of eachPool) this.set({ pool }, waitingCount)
    },
  })
}

/** Exposes the length of each queue of this process. */
export function meterQueues({ registry }: Metrics, queues: Readonly<Record<string, () => number>>): void {
  new Gauge({
    name: 'foyer_queue_length',
    help: 'Work that waits for its turn in this process, by queue',
    labelNames: ['queue'],
    registers: [registry],
    collect() {
      for (const [queue, read] of Object.entries(queues)) this.set({ queue }, read())
    },
  })
}

const JOBS_TIMEOUT_MS = 2000

/**
 * Exposes the jobs waiting in the database: mails, pushes, previews and upkeep. Shows none while the database is
 * unavailable.
 */
export function meterJobs({ registry }: Metrics, database: Queryable): void {
  new Gauge({
    name: 'foyer_jobs',
    help: 'Jobs in the queue, by kind and by state: ready, later, running or failed',
    labelNames: ['job', 'state'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const { task: job, state, count } of await countUnlessSlow(database))
        this.set({ job, state }, count)
    },
  })
}

/** Counts the waiting jobs. Gives up after a while, because a scrape must not wait for a slow database. */
function countUnlessSlow(database: Queryable): Promise<readonly CountedJobs[]> {
  const { promise: late, resolve } = Promise.withResolvers<readonly CountedJobs[]>()
  const timer = setTimeout(() => resolve([]), JOBS_TIMEOUT_MS)
  return Promise.race([countJobs(database).catch(() => []), late]).finally(() => clearTimeout(timer))
}
