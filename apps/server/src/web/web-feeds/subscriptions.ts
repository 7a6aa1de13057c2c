import { holdSource } from '#src/integrations/follows/queries.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { newId } from '#src/kernel/ids.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { FeedKind, Topic } from './addresses.ts'

/** Maximum subscriptions of a room, in total and from one host. */
export const MAX_SUBSCRIPTIONS = 2000
export const MAX_OF_HOST = 100

/** Lease of a process on a push, longer than a push takes. A killed process loses the subscription after this time. */
const TAKEN_SECONDS = 20
const MAX_WAIT_SECONDS = 3600

export interface NewSubscription {
  readonly topic: Topic
  readonly origin: string
  readonly callback: URL
  /** Null for pushes without a signature. */
  readonly secret: string | null
  readonly leaseSeconds: number
}

/** A subscription with a push that is due. */
export interface DueRow {
  space_id: string
  room_id: string
  id: string
  kind: FeedKind
  origin: string
  callback: string
  callback_host: string
  secret: string | null
  /** The newest number of the log. */
  head: number
}

/** Returns true if the room may have another subscription from this host, or already has this one. */
export async function hasPlace(database: Queryable, { topic, callback }: NewSubscription): Promise<boolean> {
  const [row] = await database.query<{ all: number; ofHost: number; isKnown: boolean }>(sql`
    select count(*) as all, count(*) filter (where callback_host = ${callback.hostname}) as "ofHost",
      coalesce(bool_or(kind = ${topic.kind} and callback = ${callback.href}), false) as "isKnown"
    from feed_subscriptions
    where space_id = ${topic.spaceId} and room_id = ${topic.roomId} and lease_until > now()`)
  if (row === undefined || row.isKnown) return true
  return row.all < MAX_SUBSCRIPTIONS && row.ofHost < MAX_OF_HOST
}

/** Stores a verified subscription, or renews it. The first push is due at once, so that earlier changes are not missed. */
export async function saveSubscription(database: Database, subscription: NewSubscription): Promise<void> {
  const { topic, origin, callback, secret, leaseSeconds } = subscription
  const { spaceId, roomId, kind } = topic
  await database.transactionIn(spaceId, async (transaction) => {
    if (!(await holdSource(transaction, topic)) || !(await hasPlace(transaction, subscription))) return
    await transaction.query(sql`
      insert into feed_subscriptions as known
        (space_id, room_id, id, kind, origin, callback, callback_host, secret, lease_until, sent_number, due_at)
      values (${spaceId}, ${roomId}, ${newId()}, ${kind}, ${origin}, ${callback.href}, ${callback.hostname}, ${secret},
        now() + make_interval(secs => ${leaseSeconds}), 0, now())
      on conflict (space_id, room_id, kind, callback) do update
        set origin = excluded.origin, secret = excluded.secret, lease_until = excluded.lease_until, attempts = 0,
          due_at = case when known.due_at is not null then now() end`)
  })
}

export async function hasSubscription(database: Queryable, topic: Topic, callback: URL): Promise<boolean> {
  const rows = await database.query(sql`
    select from feed_subscriptions
    where space_id = ${topic.spaceId} and room_id = ${topic.roomId} and kind = ${topic.kind} and callback = ${callback.href}`)
  return rows.length > 0
}

export async function deleteSubscription(database: Database, topic: Topic, callback: URL): Promise<void> {
  await database.execute(sql`
    delete from feed_subscriptions
    where space_id = ${topic.spaceId} and room_id = ${topic.roomId} and kind = ${topic.kind} and callback = ${callback.href}
    returning id`)
}

/**
 * Claims a due push (`taken_until`), so that no other process sends it. Pushes that failed before come last.
 * @param busyHosts hosts that already have the maximum of pushes
 */
export async function takeDue(database: Database, busyHosts: readonly string[]): Promise<DueRow | undefined> {
  const [taken] = await database.execute<DueRow>(sql`
    with due as materialized (
      select space_id, room_id, id from feed_subscriptions
      where due_at <= now() and (taken_until is null or taken_until < now()) and lease_until > now()
        and callback_host <> all(${busyHosts}::text[])
      order by attempts, due_at limit 1 for update skip locked)
    update feed_subscriptions as taken set taken_until = now() + make_interval(secs => ${TAKEN_SECONDS})
    from due join followed_rooms using (space_id, room_id)
    where taken.space_id = due.space_id and taken.room_id = due.room_id and taken.id = due.id
    returning taken.space_id, taken.room_id, taken.id, kind, origin, callback, callback_host, secret, log_head as head`)
  return taken
}

/** Records a push. If the log has grown since, the next push is due at once. */
export async function markSent(database: Database, { space_id, room_id, id, head }: DueRow): Promise<void> {
  await database.transactionIn(space_id, async (transaction) => {
    // The log is locked, so that a change that is being numbered now is either seen here, or makes the push due afterwards.
    const [log] = await transaction.query<{ head: number }>(sql`
      select log_head as head from followed_rooms where space_id = ${space_id} and room_id = ${room_id} for share`)
    const isMore = log !== undefined && log.head > head
    await transaction.query(sql`
      update feed_subscriptions
      set sent_number = greatest(sent_number, ${head}), attempts = 0, taken_until = null,
        due_at = case when ${isMore}::boolean then now() end
      where space_id = ${space_id} and room_id = ${room_id} and id = ${id}`)
  })
}

/** Makes a failed push due again later. */
export async function markFailed(database: Database, { space_id, room_id, id }: DueRow): Promise<void> {
  await database.execute(sql`
    update feed_subscriptions
    set attempts = least(attempts + 1, 100), taken_until = null,
      due_at = now() + make_interval(secs => least(2 ^ least(attempts + 1, 20), ${MAX_WAIT_SECONDS}))
    where space_id = ${space_id} and room_id = ${room_id} and id = ${id}
    returning id`)
}

/** Ends the claim, so that other processes can push at once. */
export async function giveBack(database: Database, { space_id, room_id, id }: DueRow): Promise<void> {
  await database.execute(sql`
    update feed_subscriptions set taken_until = null
    where space_id = ${space_id} and room_id = ${room_id} and id = ${id}
    returning id`)
}

export async function forget(database: Database, { space_id, room_id, id }: DueRow): Promise<void> {
  await database.execute(sql`
    delete from feed_subscriptions where space_id = ${space_id} and room_id = ${room_id} and id = ${id}
    returning id`)
}

/** Deletes subscriptions that were not renewed. */
export async function sweepSubscriptions(database: Database, limit: number): Promise<unknown[]> {
  return database.execute(sql`
    delete from feed_subscriptions where ctid = any(array(
      select ctid from feed_subscriptions where lease_until < now()
      order by lease_until limit ${limit} for update skip locked))
    returning id`)
}
