import type { Queryable } from '#src/kernel/sql/sql.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import type { PushKeys } from './encryption.ts'

export interface NewSubscription extends PushKeys {
  id: string
  userId: string
  sessionId: string
  endpoint: string
  endpointHash: Buffer
}

/**
 * Inserts a subscription, or moves it: its endpoint identifies the browser, whose latest login owns it.
 * @returns false if the login has ended
 */
export async function upsertSubscription(
  transaction: Queryable,
  { id, userId, sessionId, endpoint, endpointHash, publicKey, authSecret }: NewSubscription,
): Promise<boolean> {
  const rows = await transaction.query(sql`
    insert into push_subscriptions (id, user_id, session_id, endpoint_hash, endpoint, public_key, auth_secret)
    select ${id}, user_id, id, ${endpointHash}, ${endpoint}, ${publicKey}, ${authSecret}
    from sessions where id = ${sessionId} and user_id = ${userId} for key share
    on conflict (endpoint_hash) do update set id = excluded.id, user_id = excluded.user_id,
      session_id = excluded.session_id, endpoint = excluded.endpoint, public_key = excluded.public_key,
      auth_secret = excluded.auth_secret, created_at = now(), failures = 0
    returning id`)
  return rows.length > 0
}

/** Deletes all but the newest subscriptions. */
export async function deleteOldest(transaction: Queryable, userId: string, kept: number): Promise<void> {
  await transaction.query(sql`
    delete from push_subscriptions
    where user_id = ${userId} and id not in (
      select id from push_subscriptions where user_id = ${userId} order by id desc limit ${kept})`)
}

/** Deletes a subscription. Returns false if there was none. */
export async function deleteSubscription(
  transaction: Queryable,
  userId: string,
  endpointHash: Buffer,
): Promise<boolean> {
  const rows = await transaction.query(sql`
    delete from push_subscriptions where user_id = ${userId} and endpoint_hash = ${endpointHash} returning id`)
  return rows.length > 0
}

/** Deletes subscriptions that push services no longer know. */
export async function deleteGone(database: Queryable, ids: readonly string[]): Promise<void> {
  await database.query(sql`delete from push_subscriptions where id = any(${ids})`)
}

export async function hasSubscriptions(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ has: boolean }>(
    sql`select exists (select from push_subscriptions) as has`,
  )
  return row?.has ?? false
}

/** Returns the given users who have a subscription. */
export async function listSubscribed(database: Queryable, userIds: readonly string[]): Promise<string[]> {
  const rows = await database.query<{ user_id: string }>(sql`
    select distinct user_id from push_subscriptions where user_id = any(${userIds})`)
  return rows.map(({ user_id }) => user_id)
}

export interface Subscription {
  id: string
  user_id: string
  endpoint: string
  public_key: Buffer
  auth_secret: Buffer
  failures: number
}

/** Lists subscriptions of valid logins. */
export async function listSubscriptions(
  database: Queryable,
  ids: readonly string[],
): Promise<Subscription[]> {
  return database.query<Subscription>(sql`
    select subscription.id, subscription.user_id, endpoint, public_key, auth_secret, failures
    from push_subscriptions as subscription join sessions on sessions.id = session_id
    where subscription.id = any(${ids}) and expires_at > now()
    order by subscription.id`)
}

export interface TriedSubscription extends Subscription {
  /** User-Agent of the login. */
  device: string
}

/** Lists the subscriptions of the user's valid logins, with their devices. */
export async function listTriedSubscriptions(
  database: Queryable,
  userId: string,
): Promise<TriedSubscription[]> {
  return database.query<TriedSubscription>(sql`
    select subscription.id, subscription.user_id, endpoint, public_key, auth_secret, failures, sessions.device
    from push_subscriptions as subscription join sessions on sessions.id = session_id
    where subscription.user_id = ${userId} and expires_at > now()
    order by subscription.id`)
}

/**
 * Counts a failure for each subscription, at most one a minute, so that a short outage unsubscribes no one. Counting
 * restarts a day after the first failure.
 * @returns the subscriptions whose failure was counted
 */
export async function noteFailures(
  database: Queryable,
  ids: readonly string[],
): Promise<Pick<Subscription, 'id' | 'user_id' | 'failures'>[]> {
  return database.query(sql`
    update push_subscriptions set failed_at = now(),
      failures = case when failing_since > now() - interval '1 day' then failures else 0 end + 1,
      failing_since = case when failures > 0 and failing_since > now() - interval '1 day' then failing_since else now() end
    where id = any(${ids}) and (failures = 0 or failed_at < now() - interval '1 minute')
    returning id, user_id, failures`)
}

export async function clearFailures(database: Queryable, ids: readonly string[]): Promise<void> {
  await database.query(sql`update push_subscriptions set failures = 0 where id = any(${ids})`)
}

/** Lists the users' subscriptions, sorted by user id. */
export async function listSubscriptionsOf(
  database: Queryable,
  userIds: readonly string[],
): Promise<Pick<Subscription, 'id' | 'user_id' | 'endpoint'>[]> {
  return database.query(sql`
    select id, user_id, endpoint from push_subscriptions where user_id = any(${userIds}) order by user_id, id`)
}
