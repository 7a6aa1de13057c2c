import type { ChooseStatusBody, UserStatus } from '@foyer/protocol/presence'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { futureTime } from '#src/kernel/future-time.ts'
import { enqueueAt } from '#src/kernel/jobs.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { DEFAULT_STATUS, endChosenStatus, saveChosenStatus } from './queries.ts'

/** The job that ends a chosen status. */
export const END_STATUS = 'end_status'

/**
 * Changes the status of the user on all of their devices. It stays until its end, or until the user chooses another one.
 * @throws ApiError 400 for an end that is not a valid time
 */
export async function chooseStatus(
  database: Database,
  userId: string,
  body: ChooseStatusBody,
): Promise<UserStatus> {
  const chosen = chosenBy(body)
  await database.transaction(async (transaction) => {
    await saveChosenStatus(transaction, userId, chosen)
    if (chosen.status_until !== null) await planEnd(transaction, userId, chosen.status_until)
    transaction.publish(event(topicOf.user(userId), 'STATUS_UPDATE', chosen))
  })
  return chosen
}

/** Ends the user's chosen status if its end has passed. */
export async function endStatus(database: Database, userId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const isEnded = await endChosenStatus(transaction, userId)
    if (isEnded) transaction.publish(event(topicOf.user(userId), 'STATUS_UPDATE', DEFAULT_STATUS))
  })
}

/** Returns the status to save: the default if the end has already passed. Online is the default, so it has no end. */
function chosenBy({ status, status_until: given = null }: ChooseStatusBody): UserStatus {
  const end = futureTime('status_until', given)
  const isOver = given !== null && end === null
  return isOver || status === 'online' ? DEFAULT_STATUS : { status, status_until: end }
}

/** Plans the end of a status. A status that is replaced earlier keeps its job, which then finds nothing to end. */
async function planEnd(transaction: Transaction, userId: string, runAt: string): Promise<void> {
  await enqueueAt(transaction, END_STATUS, { user_id: userId }, { runAt, key: `${END_STATUS}:${userId}` })
}
