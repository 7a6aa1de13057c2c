import { type Static, Type } from 'typebox'
import { Timestamp } from './schema.ts'

/** Maximum failed jobs in an answer, and maximum jobs that one request retries. */
export const MAX_FAILED_JOBS = 100
const TASK_MAX = 100

const Task = () => Type.String({ minLength: 1, maxLength: TASK_MAX, description: 'kind of the job' })

export const jobStates = ['ready', 'later', 'running', 'failed'] as const
export type JobState = (typeof jobStates)[number]

export const JobCount = Type.Object(
  {
    task: Task(),
    ready: Type.Integer(),
    later: Type.Integer({ description: 'waiting for a time, or for another attempt' }),
    running: Type.Integer(),
    failed: Type.Integer({ description: 'after their last attempt' }),
  },
  { title: 'JobCount' },
)
export type JobCount = Static<typeof JobCount>

/** A job whose last attempt failed. It names its subject only by ids. */
export const FailedJob = Type.Object(
  {
    id: Type.String({ description: 'a number as text' }),
    task: Task(),
    attempts: Type.Integer(),
    error: Type.String({ description: 'its last error, without addresses and secrets' }),
    about: Type.Unsafe<Readonly<Record<string, string>>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'ids of its subject, by name',
    }),
    created_at: Timestamp(),
    failed_at: Timestamp(),
  },
  { title: 'FailedJob' },
)
export type FailedJob = Static<typeof FailedJob>

export const JobOverview = Type.Object(
  {
    counts: Type.Array(JobCount),
    is_complete: Type.Boolean({ description: 'false if there are more jobs than were counted' }),
    failed: Type.Array(FailedJob, { description: 'newest first, 100 at most' }),
  },
  { title: 'JobOverview' },
)
export type JobOverview = Static<typeof JobOverview>

export const FailedJobParams = Type.Object({
  jobId: Type.String({ minLength: 1, maxLength: TASK_MAX }),
})

export const RetryJobsBody = Type.Object({ task: Task() })
export type RetryJobsBody = Static<typeof RetryJobsBody>

export const RetriedJobs = Type.Object(
  { count: Type.Integer({ description: 'jobs that run again, 100 at most' }) },
  { title: 'RetriedJobs' },
)
export type RetriedJobs = Static<typeof RetriedJobs>
