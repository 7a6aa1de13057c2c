import { erasureJobs } from '#src/erasure/jobs.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { until } from '../until.ts'

/** A purge pauses nine times as long as it works, which takes a while on a busy machine. */
const MAX_PURGE_MS = 120_000

/** Ends the time in which the deleted space can be brought back. */
export async function endRestoring(server: RunningServer, spaceId: string): Promise<void> {
  await server.deps.database.execute(sql`
    update spaces set restorable_until = now() where id = ${spaceId} and deleted_at is not null`)
}

/** Does what the server does every ten minutes, and waits until the space is gone. */
export async function awaitPurge(server: RunningServer, spaceId: string): Promise<void> {
  await endRestoring(server, spaceId)
  await erasureJobs(server.deps).handlers.purge_spaces?.({})
  await until(async () => !(await isThere(server, spaceId)), 'the space is purged', MAX_PURGE_MS)
}

/** Returns true if the space has a row. */
export async function isThere(server: RunningServer, spaceId: string): Promise<boolean> {
  const rows = await server.deps.database.execute(sql`select from spaces where id = ${spaceId}`)
  return rows.length > 0
}
