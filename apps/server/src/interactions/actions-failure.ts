import type { Database } from '#src/kernel/database.ts'
import { tellInvoker } from './actions-news.ts'
import { failOverdue, findNextFailure } from './answer-queries.ts'

/** Of those that one run gives up: the next one goes on at once. */
const FAILED_AT_ONCE = 500

/**
 * Gives up the interactions that nobody answered in time, and tells who asked.
 * @returns when the next one is due
 */
export async function giveUpOverdue(database: Database): Promise<string | undefined> {
  await database.transaction(async (transaction) => {
    for (const failed of await failOverdue(transaction, FAILED_AT_ONCE))
      await tellInvoker(transaction, failed, { state: 'failed' })
  })
  return findNextFailure(database)
}
