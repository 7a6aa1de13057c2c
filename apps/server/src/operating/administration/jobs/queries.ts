import {
  type FailedJob,
  type JobCount,
  type JobOverview,
  jobStates,
  MAX_FAILED_JOBS,
} from '@foyer/protocol/operator-jobs'
import { type CountedJobs, countJobs, MAX_COUNTED_JOBS } from '#src/kernel/job-counts.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { idsIn, plainError } from './facts.ts'

export async function readJobs(database: Queryable): Promise<JobOverview> {
  const [rows, failed] = await Promise.all([countJobs(database), listFailed(database)])
  const total = rows.reduce((sum, { count }) => sum + count, 0)
  return { counts: countsOf(rows), is_complete: total <= MAX_COUNTED_JOBS, failed }
}

function countsOf(rows: readonly CountedJobs[]): JobCount[] {
  const byTask = [...Map.groupBy(rows, ({ task }) => task)].sort(([one], [other]) => (one < other ? -1 : 1))
  return byTask.map(([task, states]) => {
    const [ready = 0, later = 0, running = 0, failed = 0] = jobStates.map(
      (name) => states.find(({ state }) => state === name)?.count ?? 0,
    )
    return { task, ready, later, running, failed }
  })
}

interface FailedRow {
  id: string
  task: string
  attempts: number
  last_error: string | null
  payload: unknown
  created_at: string
  failed_at: string
}

/** Lists failed jobs. The sweep deletes them after a day, so there are few unless something is wrong. */
async function listFailed(database: Queryable): Promise<FailedJob[]> {
  const rows = await database.query<FailedRow>(sql`
    select jobs.id::text, task.identifier as task, attempts, last_error, payload, created_at, updated_at as failed_at
    from (
      select id, task_id, attempts, max_attempts, locked_at, last_error, payload, created_at, updated_at
      from graphile_worker._private_jobs limit ${MAX_COUNTED_JOBS + 1}
    ) as jobs join graphile_worker._private_tasks as task on task.id = task_id
    where attempts >= max_attempts and locked_at is null
    order by updated_at desc, jobs.id desc limit ${MAX_FAILED_JOBS}`)
  return rows.map(({ last_error, payload, ...row }) => ({
    ...row,
    error: plainError(last_error),
    about: idsIn(payload),
  }))
}

/** Locks a failed job. Returns its task; undefined if there is no such job, or it may run again by itself. */
export async function lockFailed(transaction: Queryable, jobId: string): Promise<string | undefined> {
  const [row] = await transaction.query<{ task: string }>(sql`
    select task.identifier as task
    from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
    where job.id = ${jobId}::bigint and attempts >= max_attempts and locked_at is null
    for update of job`)
  return row?.task
}

/** Locks failed jobs of a task, oldest first. Jobs locked by another request are skipped. */
export async function lockFailedOf(transaction: Queryable, task: string): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(sql`
    select job.id::text
    from graphile_worker._private_jobs as job
    where task_id = (select id from graphile_worker._private_tasks where identifier = ${task})
      and attempts >= max_attempts and locked_at is null
    order by job.id limit ${MAX_FAILED_JOBS}
    for update skip locked`)
  return rows.map(({ id }) => id)
}

/** Resets the attempts of jobs, and schedules them immediately. */
export async function rescheduleJobs(transaction: Queryable, ids: readonly string[]): Promise<void> {
  await transaction.query(sql`
    select from graphile_worker.reschedule_jobs(${ids}::bigint[], run_at => now(), attempts => 0)`)
}

export async function removeJob(transaction: Queryable, jobId: string): Promise<void> {
  await transaction.query(sql`select from graphile_worker.complete_jobs(array[${jobId}::bigint])`)
}
