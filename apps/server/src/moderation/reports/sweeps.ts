import { REPORT_DAYS } from '@foyer/protocol/limits'
import { discardFiles } from '#src/files/objects/actions.ts'
import { discardTenant } from '#src/files/objects/tenants.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { sweepInBatches } from '#src/kernel/sweeping.ts'
import { OPERATORS_QUEUE } from './queries.ts'

interface Ended {
  id: string
  queue_id: string
  file_ids: string[]
}

/** Reports per batch. Few, because each may have files, whose buckets are locked. */
const SWEEP_BATCH = 100

/** Deletes reports that were closed long ago, with their files, except in spaces with a legal hold. */
export async function sweepReports(database: Database): Promise<void> {
  await sweepInBatches(
    (limit) =>
      database.transaction(async (transaction) => {
        const ended = await transaction.query<Ended>(sql`
          delete from reports where id = any(array(
            select id from reports
            where state = 'closed' and closed_at < now() - make_interval(days => ${REPORT_DAYS}::integer)
              and queue_id not in (select id from spaces where held_at is not null)
            order by closed_at limit ${limit} for update skip locked))
          returning id, queue_id, file_ids`)
        const byQueue = Map.groupBy(ended, ({ queue_id }) => queue_id)
        for (const [queueId, reports] of [...byQueue].toSorted(([one], [other]) => (one < other ? -1 : 1)))
          await discardCopies(transaction, queueId, reports)
        return ended
      }),
    SWEEP_BATCH,
  )
}

/**
 * Deletes reports to a space's moderators, without their files, which belong to the space.
 * @returns the number deleted; fewer than the limit when none are left
 */
export async function deleteReportsTo(
  transaction: Queryable,
  spaceId: string,
  limit: number,
): Promise<number> {
  const deleted = await transaction.query(sql`
    delete from reports where id = any(array(
      (select id from reports where queue_id = ${spaceId} and state <> 'closed' limit ${limit})
      union all
      (select id from reports where queue_id = ${spaceId} and state = 'closed' limit ${limit})
      limit ${limit}))
    returning id`)
  return deleted.length
}

/** Deletes the copied files. Copies for moderators belong to the space, copies for operators to the report itself. */
async function discardCopies(
  transaction: Transaction,
  queueId: string,
  reports: readonly Ended[],
): Promise<void> {
  const ofSpace = queueId === OPERATORS_QUEUE ? [] : reports.flatMap(({ file_ids }) => file_ids)
  await discardFiles(transaction, queueId, ofSpace)
  // Done even without files: copying them may have failed after their storage was created.
  if (queueId === OPERATORS_QUEUE) for (const { id } of reports) await discardTenant(transaction, id)
}
