import type pg from 'pg'
import type { Database } from '#src/kernel/database/database.ts'
import { meterJobs, meterPools, meterQueues } from '#src/kernel/meters.ts'
import type { Metrics } from '#src/kernel/metrics.ts'

interface Queue {
  readonly waiting: number
}

export interface MeteredDeps {
  metrics: Metrics
  database: Database
  searchReader: { readonly pool: pg.Pool }
  media: Queue
  passwords: Queue
  webhookTurns: Queue
  config: { services: readonly string[] }
}

/** Registers the metrics that are measured on request: database connections and queue lengths. */
export function meterServer(deps: MeteredDeps, jobPool: pg.Pool): void {
  const { metrics, database, searchReader, media, passwords, webhookTurns, config } = deps
  meterPools(metrics, { ...database.pools, search: searchReader.pool, jobs: jobPool })
  meterQueues(metrics, {
    media: () => media.waiting,
    passwords: () => passwords.waiting,
    space_changes: () => database.waitingChanges,
    webhooks: () => webhookTurns.waiting,
  })
  // All processes share one queue. Only processes that run jobs count it.
  if (config.services.includes('jobs')) meterJobs(metrics, database)
}
