import { type CreatePushSubscriptionBody, MAX_PUSH_SUBSCRIPTIONS } from '@foyer/protocol/notifications'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { hashToken, newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { OutgoingError } from '#src/kernel/outgoing/outgoing-error.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { lockUsers } from '#src/people/users/queries.ts'
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

/** Failures within a day, without a success in between, after which a browser is unsubscribed. */
const MAX_FAILURES = 20

export interface SubscribeDeps {
  database: Database
  outgoing: Outgoing
}

/**
 * Subscribes the caller's browser until this login ends.
 * @throws ApiError 400 for an address that the server may not send to, and for invalid keys
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
    // The lock lets the second of two simultaneous browsers see the first, so the limit holds.
    await lockUsers(transaction, [userId])
    const isNew = await upsertSubscription(transaction, { id: newId(), userId, sessionId, ...named, ...keys })
    if (!isNew) throw new ApiError('authentication_required')
    await deleteOldest(transaction, userId, MAX_PUSH_SUBSCRIPTIONS)
    publishPushChange(transaction, userId)
  })
}

/** Unsubscribes one of the caller's own browsers. */
export async function unsubscribe(
  { database }: { database: Database },
  { user }: Caller,
  endpoint: string,
): Promise<void> {
  const href = URL.parse(endpoint)?.href ?? endpoint
  await database.transaction(async (transaction) => {
    if (await deleteSubscription(transaction, user.id, hashToken(href)))
      publishPushChange(transaction, user.id)
  })
}

/** Deletes subscriptions that push services no longer know. */
export async function forgetGone(
  { database }: { database: Database },
  gone: readonly Pick<Subscription, 'id' | 'user_id'>[],
): Promise<void> {
  const ids = gone.map(({ id }) => id)
  const userIds = new Set(gone.map(({ user_id }) => user_id))
  await database.transaction(async (transaction) => {
    await deleteGone(transaction, ids)
    for (const userId of userIds) publishPushChange(transaction, userId)
  })
}

/** Counts a failed push for each browser, and unsubscribes browsers with MAX_FAILURES failures. */
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
    // Hides the reason of network errors: every unreachable address gets the same answer.
    if (error instanceof OutgoingError || (error instanceof Error && 'code' in error))
      throw new ApiError('invalid_push_subscription')
    throw error
  }
}

function publishPushChange(transaction: Transaction, userId: string): void {
  transaction.publish({ topic: topicOf.account(userId), name: PUSH_CHANGE, data: '{}' })
}
