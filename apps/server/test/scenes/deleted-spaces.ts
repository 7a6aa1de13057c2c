import { erasureJobs } from '#src/erasure/jobs.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { until } from '../until.ts'

/** Ends the time in which the deleted space can be brought back. */
export async function endRestoring(server: RunningServer, spaceId: string): Promise<void> {
  await server.deps.database.execute(sql`
    update spaces set restorable_until = now() where id = ${spaceId} and deleted_at is not null`)
}

/** Runs the server's purge job, which usually runs every ten minutes, until the space is gone. */
export async function awaitPurge(server: RunningServer, spaceId: string): Promise<void> {
  await endRestoring(server, spaceId)
  const { purge_spaces } = erasureJobs(server.deps).handlers
  const isPurged = async () => {
    await purge_spaces?.({})
    return !(await isThere(server, spaceId))
  }
  try {
    await until(isPurged, 'the space is purged')
  } catch (error) {
    const jobs = await server.deps.database.query(sql`
      select task_identifier, attempts, last_error, locked_at from graphile_worker.jobs where queue_name = 'erasure'`)
    throw new Error(`the space is not purged by ${JSON.stringify(jobs)}`, { cause: error })
  }
}

/** Returns true if the space has a row. */
export async function isThere(server: RunningServer, spaceId: string): Promise<boolean> {
  const rows = await server.deps.database.execute(sql`select from spaces where id = ${spaceId}`)
  return rows.length > 0
}
