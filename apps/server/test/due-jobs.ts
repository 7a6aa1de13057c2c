import { sql } from '#src/kernel/sql/sql.ts'
import type { TestServer } from './server.ts'
import { until } from './until.ts'

/** Runs a delayed job at once, and waits until it is done. */
export async function runJobNow(server: TestServer, key: string): Promise<void> {
  await server.deps.database.execute(sql`
    select id from graphile_worker.reschedule_jobs(
      array(select id from graphile_worker.jobs where key = ${key}), run_at => now())`)
  await awaitNoDueJobs(server, key)
}

/** Waits until no job with the key is left. */
export async function awaitNoDueJobs(server: TestServer, key: string): Promise<void> {
  const isDone = async () => {
    const jobs = await server.deps.database.execute(
      sql`select id from graphile_worker.jobs where key = ${key}`,
    )
    return jobs.length === 0
  }
  await until(isDone, `the job ${key} is done`)
}
