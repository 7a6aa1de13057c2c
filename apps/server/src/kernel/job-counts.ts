import { type Queryable, sql } from './sql/sql.ts'

/**
 * Upper bound of the count: counting takes time in proportion to the backlog, and the queue's tables have no index by
 * state.
 */
export const MAX_COUNTED_JOBS = 100_000

export interface CountedJobs {
  task: string
  state: 'ready' | 'later' | 'running' | 'failed'
  count: number
}

/** Counts the jobs in the queue, by task and state. If the counts add up to more than the bound, there may be more jobs. */
export function countJobs(database: Queryable): Promise<CountedJobs[]> {
  return database.query<CountedJobs>(sql`
    select task_identifier as task, state, count(*)::integer as count
    from (
      select task_identifier, case
        when locked_at is not null then 'running'
        when attempts >= max_attempts then 'failed'
        when run_at > now() then 'later'
        else 'ready' end as state
      from graphile_worker.jobs limit ${MAX_COUNTED_JOBS + 1}
    ) as jobs
    group by task_identifier, state`)
}
