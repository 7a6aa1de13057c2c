import { topicOf } from '#src/kernel/bus.ts'
import type { Database } from '#src/kernel/database.ts'
import { event } from '#src/kernel/events.ts'
import { failOverdue, findNextFailure } from './answer-queries.ts'

/** Of those that one run gives up: the next one goes on at once. */
const FAILED_AT_ONCE = 500

/**
 * Gives up the interactions that nobody answered in time, and tells who asked.
 * @returns when the next one is due
 */
export async function giveUpOverdue(database: Database): Promise<string | undefined> {
  await database.transaction(async (transaction) => {
    for (const { id, nonce, application_id, user_id } of await failOverdue(transaction, FAILED_AT_ONCE)) {
      const update = { id, nonce, application_id, state: 'failed', message: null, choices: null, modal: null }
      transaction.publish(event(topicOf.user(user_id), 'INTERACTION_UPDATE', update))
    }
  })
  return findNextFailure(database)
}
