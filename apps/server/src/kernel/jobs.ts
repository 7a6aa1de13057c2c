import type { Database } from './database/database.ts'
import type { Queryable } from './sql/sql.ts'
import { sql } from './sql/sql.ts'

/** The arguments of a handler besides the payload. */
export interface JobContext {
  /** Aborted when the server stops and cannot wait any longer. */
  abortSignal?: AbortSignal
}

/** Does one kind of job. It may run twice: after a crash, or after a failure. */
export type JobHandler = (payload: unknown, context?: JobContext) => Promise<void>

export interface JobTable {
  /** Handlers by the name given to `enqueueJob`. */
  readonly handlers: Readonly<Record<string, JobHandler>>
  /** Lines of a crontab, in UTC, with handler names. */
  readonly schedule: readonly string[]
}

const MAX_ATTEMPTS = 8

/**
 * Enqueues a job. In a transaction, it runs after the commit. The payload must not contain secrets.
 * @param key replaces a waiting job with the same key. Two transactions with the same key wait for each other: enqueue
 * in a separate transaction
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

const FIRST_PRIORITY = -10

/** Enqueues a job that runs before the others, because a user waits for it. */
export async function enqueueFirst(transaction: Queryable, name: string, payload: object): Promise<void> {
  await transaction.query(sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, max_attempts => ${MAX_ATTEMPTS},
      priority => ${FIRST_PRIORITY})`)
}

/** Enqueues a job that runs this many seconds after the transaction began. */
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

/** Priority of jobs with a start time. Jobs of other kinds that are due at the same time run first. */
const TIMED_PRIORITY = 10

/**
 * Enqueues a job that runs at a time of the database's clock. Many users choose the same time, such as midnight, so
 * other jobs run first.
 * @param key replaces a waiting job with the same key
 */
export async function enqueueAt(
  transaction: Queryable,
  name: string,
  payload: object,
  { runAt, key }: { runAt: string; key: string },
): Promise<void> {
  await transaction.query(sql`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, run_at => ${runAt}::timestamptz,
      max_attempts => ${MAX_ATTEMPTS}, job_key => ${key}, priority => ${TIMED_PRIORITY})`)
}

/** Cancels a job that has not begun. */
export async function cancelJob(transaction: Queryable, key: string): Promise<void> {
  await transaction.query(sql`select from graphile_worker.remove_job(${key})`)
}

export interface KeyedJob {
  payload: object
  /** The job replaces one with the same key that has not begun, and runs at the time set for that one. */
  key: string
  /** Jobs of one queue run one after the other. */
  queue: string | null
  delaySeconds: number
  /** Jobs with lower numbers run first. */
  priority: number
}

/** Enqueues many jobs in a separate transaction. */
export async function enqueueMany(
  database: Database,
  name: string,
  jobs: readonly KeyedJob[],
): Promise<void> {
  // Ordered, so that two callers with the same keys cannot deadlock.
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

/** Options that decide when a job runs. */
export interface Queueing {
  /** Jobs of one queue run one after the other. */
  queue: string
  /** A job with the same key that has not begun is replaced. */
  key: string
  /** Seconds before it may begin. */
  delaySeconds?: number
}

/** Enqueues a job in a separate transaction. */
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

/**
 * Enqueues a job unless a job with this key waits or runs. Simultaneous calls take turns.
 * @returns true if it was enqueued
 */
export async function enqueueUnlessThere(
  transaction: Queryable,
  name: string,
  { queue, key }: Pick<Queueing, 'queue' | 'key'>,
): Promise<boolean> {
  await transaction.query(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
  const there = await transaction.query(sql`
    select from graphile_worker.jobs where key = ${key} and attempts < max_attempts`)
  if (there.length > 0) return false
  await transaction.query(sql`
    select graphile_worker.add_job(${name}, '{}'::json, queue_name => ${queue}, max_attempts => ${MAX_ATTEMPTS},
      job_key => ${key})`)
  return true
}

/** Returns whether a job with this key waits for its first attempt or its next one. */
export async function isWaiting(database: Queryable, key: string): Promise<boolean> {
  const rows = await database.query(sql`
    select from graphile_worker.jobs
    where key = ${key} and locked_at is null and attempts < max_attempts`)
  return rows.length > 0
}
