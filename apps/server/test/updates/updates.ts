import type pg from 'pg'
import pino from 'pino'
import { migrateJobs } from '#src/jobs/worker.ts'
import { openPool } from '#src/kernel/sql/pool.ts'
import type { Update } from '#src/operating/updates/updating.ts'

export interface Said {
  warnings: string[]
}

/** Returns the options of an update of a database, and the list to which its warnings are added. */
export function updateOf(connection: pg.ClientConfig, changes: Partial<Update> = {}): Update & Said {
  const warnings: string[] = []
  return {
    ...{ connection, dataDir: undefined, days: 7, warnings, unusedMs: 1000 },
    log: { info: () => undefined, warn: (text: unknown) => warnings.push(String(text)) },
    async migrateQueue(copy) {
      const { pool, close } = openPool({ ...copy, max: 1 }, () => undefined)
      await migrateJobs(pool, pino({ level: 'silent' })).finally(close)
    },
    ...changes,
  }
}
