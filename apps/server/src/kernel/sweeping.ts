import type { Database } from './database/database.ts'
import { type Fragment, sql } from './sql/sql.ts'

/** Rows deleted by one statement, few enough to stay well within its time limit. */
const SWEEP_BATCH = 5000

/**
 * Deletes in batches until a batch is not full. Each batch commits by itself, so the next sweep continues an interrupted one.
 * @param deleteBatch deletes at most `limit` rows and returns them. It must skip locked rows, which wait for the
 * next sweep
 */
export async function sweepInBatches(
  deleteBatch: (limit: number) => Promise<readonly unknown[]>,
  batch = SWEEP_BATCH,
): Promise<void> {
  let isMore = true
  while (isMore) isMore = (await deleteBatch(batch)).length === batch
}

/** Deletes the rows of a table whose `expires_at` has passed, the oldest first. */
export async function sweepExpired(database: Database, table: Fragment): Promise<void> {
  await sweepInBatches((limit) =>
    database.execute(sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where expires_at < now()
        order by expires_at limit ${limit}
        for update skip locked))
      returning 1 as deleted`),
  )
}

/** Expired runs deleted at a time. Few, because the storage of their files stays locked until they are deleted. */
const RUN_BATCH = 20
/** Age of a queued run whose job counts as lost: longer than a run waits for an earlier run. */
const STRANDED_SECONDS = 15 * 60
const MAX_STRANDED = 100

/** Runs of one kind, such as exports. */
export interface RunSweep {
  table: Fragment
  /** Deletes at most `limit` runs that have expired, and returns them. */
  end(limit: number): Promise<readonly unknown[]>
  enqueue(id: string): Promise<void>
}

/** Deletes runs that have expired, and enqueues a new job for runs whose job was lost. */
export async function sweepRuns(database: Database, { table, end, enqueue }: RunSweep): Promise<void> {
  await sweepInBatches(end, RUN_BATCH)
  for (const id of await listStranded(database, table)) await enqueue(id)
}

/** Lists runs that have waited too long for their job: it was lost. */
async function listStranded(database: Database, table: Fragment): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from ${table}
    where state = 'queued' and created_at < now() - make_interval(secs => ${STRANDED_SECONDS}) and expires_at > now()
    order by id limit ${MAX_STRANDED}`)
  return rows.map(({ id }) => id)
}
