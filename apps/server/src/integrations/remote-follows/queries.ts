import type { Database } from '#src/kernel/database/database.ts'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

export interface RemoteFollowRow {
  space_id: string
  webhook_id: string
  /** The host of the other server. */
  server: string
  feed_url: string
  hub_url: string
  space_name: string
  room_name: string
  callback_id: string
  /** Encrypted. `openRemoteSecret` decrypts it. */
  secret: Buffer
  read_to: number
  after_seq: number
  calls: number
  attempts: number
  failing_since: string | null
  /** True while the subscription lasts: the hub calls after each change. */
  has_lease: boolean
  /** True if the subscription has to be made, or renewed. */
  needs_lease: boolean
  /** The turn that has the lease on the follow. */
  taken_by: string | null
}

const columns = fragment`space_id, webhook_id, server, feed_url, hub_url, space_name, room_name, callback_id, secret, read_to,
  after_seq, calls, attempts, failing_since, coalesce(lease_until > now(), false) as has_lease, subscribe_at <= now() as needs_lease, taken_by`

type Key = Pick<RemoteFollowRow, 'space_id' | 'webhook_id'>
/** A follow that a turn has taken. Changes made with it have no effect once another turn has the follow. */
export type TakenFollow = Key & Pick<RemoteFollowRow, 'taken_by'>

export type NewRemoteFollow = Omit<
  RemoteFollowRow,
  'calls' | 'attempts' | 'failing_since' | 'has_lease' | 'needs_lease' | 'taken_by'
>

export async function insertRemoteFollow(transaction: Queryable, follow: NewRemoteFollow): Promise<void> {
  await transaction.query(sql`
    insert into remote_follows
      (space_id, webhook_id, server, feed_url, hub_url, space_name, room_name, callback_id, secret, read_to, after_seq)
    values (${follow.space_id}, ${follow.webhook_id}, ${follow.server}, ${follow.feed_url}, ${follow.hub_url},
      ${follow.space_name}, ${follow.room_name}, ${follow.callback_id}, ${follow.secret}, ${follow.read_to},
      ${follow.after_seq})`)
}

/** Counts the space's follows, also those of rooms that were deleted a moment ago. */
export async function countRemoteFollows(transaction: Queryable, spaceId: string): Promise<number> {
  const [row] = await transaction.query<{ count: number }>(sql`
    select count(*) from remote_follows where space_id = ${spaceId}`)
  return row?.count ?? 0
}

/** Lease of a turn on a follow, renewed while it copies. A killed process loses the follow after this time. */
const TAKEN_SECONDS = 30

/** Maximum due follows considered at a time, longest waiting first. After an outage, all follows are due. */
const MAX_LOOKED_AT = 500

/**
 * Lists due follows, the longest waiting first, a few per server.
 * @param busy servers to leave out
 */
export async function listDueFollows(
  database: Queryable,
  { limit, perServer, busy }: { limit: number; perServer: number; busy: readonly string[] },
): Promise<(Key & { server: string })[]> {
  return database.query(sql`
    select space_id, webhook_id, server from (
      select space_id, webhook_id, server, due_at,
        row_number() over (partition by server order by due_at, space_id, webhook_id) as place
      from (
        select space_id, webhook_id, server, due_at from remote_follows
        where due_at <= now() and (taken_until is null or taken_until < now()) and server <> all(${busy}::text[])
        order by due_at, space_id, webhook_id limit ${MAX_LOOKED_AT}
      ) as oldest
    ) as due
    where place <= ${perServer} order by due_at, space_id, webhook_id limit ${limit}`)
}

/** Takes the lease on a due follow, so that no other turn copies for it. @returns undefined if another turn has it */
export async function takeFollow(
  database: Database,
  { space_id, webhook_id }: Key,
  turnId: string,
): Promise<RemoteFollowRow | undefined> {
  const [row] = await database.execute<RemoteFollowRow>(sql`
    update remote_follows
    set taken_by = ${turnId}, taken_until = now() + make_interval(secs => ${TAKEN_SECONDS})
    where space_id = ${space_id} and webhook_id = ${webhook_id} and due_at <= now()
      and (taken_until is null or taken_until < now())
    returning ${columns}`)
  return row
}

/** Renews the lease. @returns false if another turn has the follow, or it has ended */
export async function keepFollow(
  database: Database,
  { space_id, webhook_id, taken_by }: TakenFollow,
): Promise<boolean> {
  const rows = await database.execute(sql`
    update remote_follows set taken_until = now() + make_interval(secs => ${TAKEN_SECONDS})
    where space_id = ${space_id} and webhook_id = ${webhook_id} and taken_by = ${taken_by}
    returning webhook_id`)
  return rows.length > 0
}

/** Ends the lease. The follow stays due. */
export async function releaseFollow(
  database: Database,
  { space_id, webhook_id, taken_by }: TakenFollow,
): Promise<void> {
  await database.execute(sql`
    update remote_follows set taken_by = null, taken_until = null
    where space_id = ${space_id} and webhook_id = ${webhook_id} and taken_by = ${taken_by}`)
}

/** Saves how far the log was copied. @returns false if another turn has the follow */
export async function saveReadTo(
  database: Database,
  { space_id, webhook_id, taken_by }: TakenFollow,
  readTo: number,
): Promise<boolean> {
  const rows = await database.execute(sql`
    update remote_follows set read_to = ${readTo}
    where space_id = ${space_id} and webhook_id = ${webhook_id} and taken_by = ${taken_by}
    returning webhook_id`)
  return rows.length > 0
}

/** Postpones the next subscription request to the hub by the given seconds. */
export async function postponeSubscription(
  database: Database,
  { space_id, webhook_id }: Key,
  seconds: number,
): Promise<void> {
  await database.execute(sql`
    update remote_follows set subscribe_at = now() + make_interval(secs => ${seconds})
    where space_id = ${space_id} and webhook_id = ${webhook_id}`)
}

/**
 * Saves a subscription that the hub confirmed, to be renewed after 70 % of its time. The follow is due some seconds
 * later: the hub stores the subscription only after our answer, and does not call for changes before that.
 * @returns false if there is no follow with this callback and this feed
 */
export async function saveLease(
  database: Database,
  { callbackId, feedUrl, seconds }: { callbackId: string; feedUrl: string; seconds: number },
): Promise<boolean> {
  const rows = await database.execute(sql`
    update remote_follows set lease_until = now() + make_interval(secs => ${seconds}),
      subscribe_at = now() + make_interval(secs => ${seconds * 0.7}),
      due_at = least(due_at, greatest(now() + interval '3 seconds', rest_until)), calls = calls + 1
    where callback_id = ${callbackId} and feed_url = ${feedUrl}
    returning webhook_id`)
  return rows.length > 0
}

/** Finds the follow that a hub's call is about. */
export async function findCalled(
  database: Queryable,
  callbackId: string,
): Promise<Pick<RemoteFollowRow, 'webhook_id' | 'secret'> | undefined> {
  const [row] = await database.query<Pick<RemoteFollowRow, 'webhook_id' | 'secret'>>(sql`
    select webhook_id, secret from remote_follows where callback_id = ${callbackId}`)
  return row
}

/** Makes the follow due at once, or at `rest_until`. */
export async function noteCall(transaction: Queryable, callbackId: string): Promise<void> {
  await transaction.query(sql`
    update remote_follows set due_at = least(due_at, greatest(now(), rest_until)), calls = calls + 1
    where callback_id = ${callbackId}`)
}

/** Replaces a secret that cannot be read, because SECRET_KEY was replaced. */
export async function saveSecret(
  database: Database,
  { space_id, webhook_id }: Key,
  secret: Buffer,
): Promise<void> {
  await database.execute(sql`
    update remote_follows set secret = ${secret} where space_id = ${space_id} and webhook_id = ${webhook_id}`)
}
