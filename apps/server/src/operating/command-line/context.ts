import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '#src/config.ts'
import { Database } from '#src/kernel/database/database.ts'
import { makePartitions } from '#src/kernel/database/journal-partitions.ts'
import { Bus } from '#src/kernel/journal/bus.ts'
import type { Connection } from '#src/kernel/sql/pooling.ts'
import { firstBecomesOperator } from '#src/operating/operators/claim-link.ts'
import { areEventsWaiting, enqueueEvents } from '#src/operating/operators/jobs.ts'
import { Registration } from '#src/people/registration/settings.ts'

/** The parts that commands need: the server's parts without client connections. */
export interface Context {
  database: Database
  bus: Bus
  registration: Registration
  dataDir: string
}

export interface OpenContext extends Context {
  /**
   * Waits until a running server has published what the command changed.
   * @returns false if no server has published it within a second
   */
  settle(): Promise<boolean>
  close(): Promise<void>
}

/** Longest wait for a server to publish the changes, since there may be no running server. */
const MAX_SETTLE_MS = 1000
const POLL_MS = 20

/** Opens the parts that commands need. A running server publishes their changes: see `operatorJobs`. */
export function openContext(connection: Connection, config: Config): OpenContext {
  const bus = new Bus(report)
  let hasChanged = false
  const database: Database = new Database({
    connection,
    onError: report,
    // Part of the transaction: a command that is killed leaves the change and its events, or neither.
    onJournal: enqueueEvents,
    onCommit: async () => {
      hasChanged = true
    },
    onMissingPartition: () => makePartitions(database, Date.now()),
  })
  const start = { ...config, firstBecomesOperator: firstBecomesOperator(config) }
  const registration = new Registration({ database, bus }, start)
  return {
    ...{ database, bus, registration, dataDir: config.dataDir },
    settle: async () => !hasChanged || (await awaitPublished(database)),
    close: () => database.close(),
  }
}

async function awaitPublished(database: Database): Promise<boolean> {
  const deadline = performance.now() + MAX_SETTLE_MS
  while (await areEventsWaiting(database)) {
    if (performance.now() > deadline) return false
    await delay(POLL_MS)
  }
  return true
}

function report(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
}
