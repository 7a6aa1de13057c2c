import type { Queryable } from './sql.ts'
import { sql } from './sql.ts'

/** The work of one kind of job. It may run twice: after a crash, or when it failed. */
export type JobHandler = (payload: unknown) => Promise<void>

export interface JobTable {
  /** By name: what `enqueueJob` asks for. */
  readonly handlers: Readonly<Record<string, JobHandler>>
  /** Lines of a crontab, in UTC, naming handlers. */
  readonly schedule: readonly string[]
}

const MAX_ATTEMPTS = 8

/** Asks for a job; inside a transaction, it runs once that commits. The payload must hold no secrets. */
export async function enqueueJob(database: Queryable, name: string, payload: object): Promise<void> {
  await database.query(sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, max_attempts => ${MAX_ATTEMPTS})`)
}
