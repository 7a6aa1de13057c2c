import type pg from 'pg'
import { Gauge } from 'prom-client'
import type { Metrics } from './metrics.ts'
import { type Queryable, sql } from './sql/sql.ts'

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

/** Upper bound of the count, because counting takes as long as the backlog is. */
const MAX_COUNTED_JOBS = 100_000
const JOBS_TIMEOUT_MS = 2000

/**
 * Exposes the jobs waiting in the database: mails, pushes, previews and upkeep. None are shown while the database is
 * away.
 */
export function meterJobs({ registry }: Metrics, database: Queryable): void {
  new Gauge({
    name: 'foyer_jobs',
    help: 'Jobs in the queue, by kind and by state: ready, later, running or failed',
    labelNames: ['job', 'state'],
    registers: [registry],
    async collect() {
      this.reset()
      for (const { count, ...labels } of await countJobs(database)) this.set(labels, count)
    },
  })
}

interface JobCount {
  job: string
  state: string
  count: number
}

async function countJobs(database: Queryable): Promise<readonly JobCount[]> {
  const counted = database.query<JobCount>(sql`
    select task_identifier as job, state, count(*)::integer as count
    from (
      select task_identifier, case
        when locked_at is not null then 'running'
        when attempts >= max_attempts then 'failed'
        when run_at > now() then 'later'
        else 'ready' end as state
      from graphile_worker.jobs limit ${MAX_COUNTED_JOBS}
    ) as jobs
    group by task_identifier, state`)
  const { promise: late, resolve } = Promise.withResolvers<readonly JobCount[]>()
  const timer = setTimeout(() => resolve([]), JOBS_TIMEOUT_MS)
  return Promise.race([counted.catch(() => []), late]).finally(() => clearTimeout(timer))
}
