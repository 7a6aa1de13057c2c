import { type CreatePushSubscriptionBody, MAX_PUSH_SUBSCRIPTIONS } from '@foyer/protocol/notifications'
import { topicOf } from '#src/kernel/bus.ts'
import type { Caller } from '#src/kernel/credentials.ts'
import type { Database, Transaction } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { hashToken, newId } from '#src/kernel/ids.ts'
import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { OutgoingError } from '#src/kernel/outgoing/outgoing-error.ts'
import { lockUsers } from '#src/users/queries.ts'
import { readPushKeys } from './encryption.ts'
import { PUSH_CHANGE } from './interest.ts'
import {
  deleteGone,
  deleteOldest,
  deleteSubscription,
  noteFailures,
  type Subscription,
  upsertSubscription,
} from './subscription-queries.ts'

/** Failed pushes within a day, and none that succeeded in between, after which a browser is forgotten. */
const MAX_FAILURES = 20

export interface SubscribeDeps {
  database: Database
  outgoing: Outgoing
}

/**
 * Pushes to the caller's browser from now on, as long as this login lasts.
 * @throws ApiError 400 for an address that nothing may be sent to, and for keys that are none
 */
export async function subscribe(
  { database, outgoing }: SubscribeDeps,
  caller: Caller,
  { endpoint, keys: given }: CreatePushSubscriptionBody,
): Promise<void> {
  if (caller.kind !== 'human') throw new ApiError('bots_not_allowed')
  const [url, keys] = [URL.parse(endpoint), readPushKeys(given)]
  if (url === null || keys === undefined) throw new ApiError('invalid_push_subscription')
  await checkEndpoint(outgoing, url)
  const userId = caller.user.id
  const { sessionId } = caller
  const named = { endpoint: url.href, endpointHash: hashToken(url.href) }
  await database.transaction(async (transaction) => {
    // Of two browsers that come at once the second sees the first, and goes by the same bound.
    await lockUsers(transaction, [userId])
    const isNew = await upsertSubscription(transaction, { id: newId(), userId, sessionId, ...named, ...keys })
    if (!isNew) throw new ApiError('authentication_required')
    await deleteOldest(transaction, userId, MAX_PUSH_SUBSCRIPTIONS)
    tellChange(transaction, userId)
  })
}

/** Of the caller's alone. */
export async function unsubscribe(
  { database }: { database: Database },
  { user }: Caller,
  endpoint: string,
): Promise<void> {
  const href = URL.parse(endpoint)?.href ?? endpoint
  await database.transaction(async (transaction) => {
    if (await deleteSubscription(transaction, user.id, hashToken(href))) tellChange(transaction, user.id)
  })
}

/** Browsers that push services know no more. */
export async function forgetGone(
  { database }: { database: Database },
  gone: readonly Pick<Subscription, 'id' | 'user_id'>[],
): Promise<void> {
  const ids = gone.map(({ id }) => id)
  const userIds = new Set(gone.map(({ user_id }) => user_id))
  await database.transaction(async (transaction) => {
    await deleteGone(transaction, ids)
    for (const userId of userIds) tellChange(transaction, userId)
  })
}

/** Counts a failed push to each browser, and forgets those to which nothing could be pushed for a while. */
export async function noteFailed(
  { database }: { database: Database },
  failed: readonly Pick<Subscription, 'id'>[],
): Promise<void> {
  const counted = await noteFailures(
    database,
    failed.map(({ id }) => id),
  )
  const given = counted.filter(({ failures }) => failures >= MAX_FAILURES)
  if (given.length > 0) await forgetGone({ database }, given)
}

async function checkEndpoint(outgoing: Outgoing, url: URL): Promise<void> {
  try {
    await outgoing.checkTarget(url)
  } catch (error) {
    // What is known of the network stays here: all that cannot be sent to is told in the same words.
    if (error instanceof OutgoingError || (error instanceof Error && 'code' in error))
      throw new ApiError('invalid_push_subscription')
    throw error
  }
}

function tellChange(transaction: Transaction, userId: string): void {
  transaction.publish({ topic: topicOf.account(userId), name: PUSH_CHANGE, data: '{}' })
}
