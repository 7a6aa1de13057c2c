import type { Database } from './database.ts'
import type { Queryable } from './sql.ts'
import { sql } from './sql.ts'

/** What a handler may look at besides the payload. */
export interface JobContext {
  /** Tells that the server stops and can wait no longer. */
  abortSignal?: AbortSignal
}

/** The work of one kind of job. It may run twice: after a crash, or when it failed. */
export type JobHandler = (payload: unknown, context?: JobContext) => Promise<void>

export interface JobTable {
  /** By name: what `enqueueJob` asks for. */
  readonly handlers: Readonly<Record<string, JobHandler>>
  /** Lines of a crontab, in UTC, naming handlers. */
  readonly schedule: readonly string[]
}

const MAX_ATTEMPTS = 8

/**
 * Asks for a job; inside a transaction, it runs once that commits. The payload must hold no secrets.
 * @param key a job with the same that has not begun is this one. Whoever asks with a key waits for others who do until
 *   they commit: ask in a transaction of its own
 */
export async function enqueueJob(
  database: Queryable,
  name: string,
  payload: object,
  key: string | null = null,
): Promise<void> {
  await database.query(sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, max_attempts => ${MAX_ATTEMPTS},
      job_key => ${key})`)
}

/** How a job waits for its turn. */
export interface Queueing {
  /** Jobs of one queue run one after the other. */
  queue: string
  /** A job with the same that has not begun is this one. */
  key: string
  /** Until it may begin. */
  delaySeconds?: number
}

/** Asks for a job in a transaction of its own. */
export async function enqueueInLine(
  database: Database,
  name: string,
  payload: object,
  { queue, key, delaySeconds = 0 }: Queueing,
): Promise<void> {
  await database.execute(sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, queue_name => ${queue},
      run_at => now() + make_interval(secs => ${delaySeconds}), max_attempts => ${MAX_ATTEMPTS}, job_key => ${key})`)
}
