import type { AccountChange } from '@foyer/protocol/way-back'
import type { Transaction } from '#src/kernel/database/database.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import type { AuthClient } from '../client.ts'
import { lockTotp } from '../second-factors/queries.ts'
import { insertSnapshot, lockOwner } from './queries.ts'

/**
 * Keeps the account's protecting settings for a week, and mails its owner the link that restores them. Called before
 * the change, in its transaction. Locks the user, then the app.
 */
export async function keepWayBack(
  transaction: Transaction,
  userId: string,
  change: AccountChange,
  { linkHost, ...origin }: AuthClient,
): Promise<void> {
  if ((await lockOwner(transaction, userId)) === undefined) return
  await lockTotp(transaction, userId)
  const id = await insertSnapshot(transaction, { userId, change, ...origin })
  await enqueueJob(transaction, 'mail_way_back', { snapshot_id: id, link_host: linkHost })
}
