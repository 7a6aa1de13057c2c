import type pg from 'pg'
import type { Database } from '#src/kernel/database.ts'
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

/** Shows at /metrics what is measured when somebody looks: connections to the database, and what waits where. */
export function meterServer(deps: MeteredDeps, jobPool: pg.Pool): void {
  const { metrics, database, searchReader, media, passwords, webhookTurns, config } = deps
  meterPools(metrics, { ...database.pools, search: searchReader.pool, jobs: jobPool })
  meterQueues(metrics, {
    media: () => media.waiting,
    passwords: () => passwords.waiting,
    space_changes: () => database.waitingChanges,
    webhooks: () => webhookTurns.waiting,
  })
  // The queue is one for all processes. Those that work on it count it.
  if (config.services.includes('jobs')) meterJobs(metrics, database)
}
