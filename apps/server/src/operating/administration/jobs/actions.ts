import type { RetriedJobs } from '@foyer/protocol/operator-jobs'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { holdOperator, type OperatorAccess } from '#src/operating/operators/access.ts'
import { logOperation } from '#src/operating/operators/log.ts'
import { lockFailed, lockFailedOf, removeJob, rescheduleJobs } from './queries.ts'

export interface JobAdministrationDeps {
  database: Database
}

/** Ids of jobs. A number with more digits might not fit PostgreSQL's bigint. */
const JOB_ID = /^[0-9]{1,18}$/

/** @throws ApiError 404 for a job that has not failed, or that another request has just retried or deleted */
export async function retryJob(
  { database }: JobAdministrationDeps,
  access: OperatorAccess,
  jobId: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const task = await lockFailedJob(transaction, access, jobId)
    await rescheduleJobs(transaction, [jobId])
    await logOperation(transaction, access, {
      action: 'job_retry',
      type: 'server',
      details: { task, count: 1 },
    })
  })
}

/** Runs all failed jobs of a task again, up to a limit. */
export async function retryJobs(
  { database }: JobAdministrationDeps,
  access: OperatorAccess,
  task: string,
): Promise<RetriedJobs> {
  return database.transaction(async (transaction) => {
    await holdOperator(transaction, access)
    const ids = await lockFailedOf(transaction, task)
    const count = ids.length
    if (count === 0) return { count }
    await rescheduleJobs(transaction, ids)
    await logOperation(transaction, access, { action: 'job_retry', type: 'server', details: { task, count } })
    return { count }
  })
}

/** @throws ApiError 404 for a job that has not failed, or that another request has just retried or deleted */
export async function deleteJob(
  { database }: JobAdministrationDeps,
  access: OperatorAccess,
  jobId: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const task = await lockFailedJob(transaction, access, jobId)
    await removeJob(transaction, jobId)
    await logOperation(transaction, access, { action: 'job_delete', type: 'server', details: { task } })
  })
}

/**
 * Locks a failed job for an operator.
 * @returns the job's task
 * @throws ApiError 404 if there is no such job
 */
async function lockFailedJob(
  transaction: Transaction,
  access: OperatorAccess,
  jobId: string,
): Promise<string> {
  if (!JOB_ID.test(jobId)) throw new ApiError('unknown_job')
  await holdOperator(transaction, access)
  const task = await lockFailed(transaction, jobId)
  if (task === undefined) throw new ApiError('unknown_job')
  return task
}
