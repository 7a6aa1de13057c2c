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

/** Asks for a job that runs once so many seconds have passed since the transaction began. */
export async function enqueueLater(
  transaction: Queryable,
  name: string,
  payload: object,
  delaySeconds: number,
): Promise<void> {
  await transaction.query(sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
      run_at => now() + make_interval(secs => ${delaySeconds}), max_attempts => ${MAX_ATTEMPTS})`)
}

export interface KeyedJob {
  payload: object
  /** A job with the same that has not begun is this one, and begins when it was to. */
  key: string
  /** Jobs of one queue run one after the other. */
  queue: string | null
  delaySeconds: number
  /** Those with a lesser number are before the others. */
  priority: number
}

/** Asks for many jobs at once, in a transaction of its own. */
export async function enqueueMany(
  database: Database,
  name: string,
  jobs: readonly KeyedJob[],
): Promise<void> {
  // In one order, so that two who ask for the same do not wait for each other in a circle.
  const ordered = jobs.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  await database.execute(sql`
    select graphile_worker.add_job(${name}, payload::json, queue_name => queue,
      run_at => now() + make_interval(secs => delay), max_attempts => ${MAX_ATTEMPTS}, job_key => key,
      job_key_mode => 'preserve_run_at', priority => priority)
    from unnest(
      ${ordered.map(({ payload }) => JSON.stringify(payload))}::text[], ${ordered.map(({ queue }) => queue)}::text[],
      ${ordered.map(({ delaySeconds }) => delaySeconds)}::float8[], ${ordered.map(({ key }) => key)}::text[],
      ${ordered.map(({ priority }) => priority)}::integer[]) as job (payload, queue, delay, key, priority)`)
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
