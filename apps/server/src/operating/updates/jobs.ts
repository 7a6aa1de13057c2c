import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '#src/config.ts'
import { LONGEST_NAME } from '#src/kernel/database/snapshot-names.ts'
import type { JobTable } from '#src/kernel/jobs.ts'
import { endOf, type Kept, listKept } from './records.ts'
import { dropDatabase, openBeside, withClient } from './server-databases.ts'
import { dropLeftovers } from './swapping.ts'

export interface UpdateJobDeps {
  config: Pick<Config, 'updateSnapshotDays'>
  directConnection: pg.ClientConfig
  log: Pick<Logger, 'info'>
}

/** Drops the databases that were kept at an update or a rollback, when their time is over. */
export function updateJobs(deps: UpdateJobDeps): JobTable {
  return {
    handlers: { kept_databases: () => dropOverdue(deps) },
    schedule: ['37 * * * * kept_databases'],
  }
}

/** Exported for tests. @param now in milliseconds since 1970 */
export async function dropOverdue(
  { config, directConnection, log }: UpdateJobDeps,
  now = Date.now(),
): Promise<void> {
  const isOverdue = (kept: Kept) => endOf(kept, config.updateSnapshotDays).getTime() <= now
  if (!(await hasAny(directConnection))) return
  const beside = await openBeside(directConnection)
  try {
    await dropLeftovers(beside)
    const kept = await listKept(beside.admin, beside.name)
    for (const { database } of kept.filter(isOverdue)) {
      await dropDatabase(beside, database)
      log.info(`the kept database ${database} is dropped: its time is over`)
    }
  } finally {
    await beside.admin.end()
  }
}

/** Returns whether there are kept databases. Most installations have none, and some may not connect to other databases. */
async function hasAny(connection: pg.ClientConfig): Promise<boolean> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query(
      `select from pg_database where starts_with(datname, current_database() || '_')
        and substring(datname from length(current_database()) + 1)
          ~ '^(_foyer_update_copy|(_before_update|_rolled_back)(_outdated)?)$'
        and octet_length(current_database()) <= ${LONGEST_NAME}`,
    )
    return rows.length > 0
  })
}
