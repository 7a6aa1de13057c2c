import type { Database } from '#src/kernel/database/database.ts'
import { failOverdue, findNextFailure } from '../answer-queries.ts'
import { updateInvoker } from './updates.ts'

/** Maximum overdue interactions per run. If more are left, the next run follows immediately. */
const FAILED_AT_ONCE = 500

/**
 * Fails the interactions that were not answered in time, and publishes that to the invokers.
 * @returns the time of the next deadline
 */
export async function giveUpOverdue(database: Database): Promise<string | undefined> {
  await database.transaction(async (transaction) => {
    for (const failed of await failOverdue(transaction, FAILED_AT_ONCE))
      await updateInvoker(transaction, failed, { state: 'failed' })
  })
  return findNextFailure(database)
}
