import type { Database } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { hasTurn, nextTurn, takenTurn } from '../follows/turns.ts'
import { publishWebhooks } from '../webhooks/actions.ts'
import type { RemoteFollowRow, TakenFollow } from './queries.ts'

/** The outcome of an attempt to copy for a follow. */
export interface Outcome {
  /** True if the other server answered. */
  isReached: boolean
  attempts: number
  /** Seconds until the next attempt, unless the hub calls before. */
  delaySeconds: number
  /** Minimum seconds until the next attempt, if the hub has called or calls before. */
  leastSeconds: number
  names: Pick<RemoteFollowRow, 'space_name' | 'room_name'>
}

/** Days without an answer from the other server after which a follow ends. */
const ENDS_AFTER_DAYS = 30

/** Saves the outcome of an attempt, and ends the follow of a server that has not answered for a month. */
export async function settleFollow(
  database: Database,
  follow: RemoteFollowRow,
  { outcome, roomId }: { outcome: Outcome; roomId: string },
): Promise<void> {
  await database.transaction(async (transaction) => {
    const settled = await saveOutcome(transaction, follow, outcome)
    if (settled === undefined) return
    if (settled.is_over) await deleteRemoteFollow(transaction, follow)
    const { space_name, room_name } = outcome.names
    const isAsBefore =
      (settled.failing_since === null) === (follow.failing_since === null) &&
      space_name === follow.space_name &&
      room_name === follow.room_name
    if (settled.is_over || !isAsBefore)
      publishWebhooks(transaction, { space_id: follow.space_id, room_id: roomId })
  })
}

/**
 * Saves the outcome. If the hub called during the attempt, the next one follows soon, but not at once: a hub could
 * call without end. A server that answers again may have lost the subscription, so it is renewed.
 */
async function saveOutcome(
  transaction: Queryable,
  { space_id, webhook_id, calls, taken_by }: RemoteFollowRow,
  { isReached, attempts, delaySeconds, leastSeconds, names }: Outcome,
): Promise<{ failing_since: string | null; is_over: boolean } | undefined> {
  const [row] = await transaction.query<{ failing_since: string | null; is_over: boolean }>(sql`
    update remote_follows set taken_by = null, taken_until = null, attempts = ${attempts},
      failing_since = case when ${isReached} then null else coalesce(failing_since, now()) end,
      space_name = ${names.space_name}, room_name = ${names.room_name},
      subscribe_at = case when ${isReached} and failing_since is not null then now() else subscribe_at end,
      due_at = now() + make_interval(secs => case when calls = ${calls} then ${delaySeconds} else ${leastSeconds} end::float8),
      rest_until = now() + make_interval(secs => ${leastSeconds}::float8)
    where space_id = ${space_id} and webhook_id = ${webhook_id} and taken_by = ${taken_by}
    returning failing_since,
      coalesce(failing_since < now() - make_interval(days => ${ENDS_AFTER_DAYS}), false) as is_over`)
  return row
}

async function deleteRemoteFollow(
  transaction: Queryable,
  { space_id, webhook_id }: RemoteFollowRow,
): Promise<void> {
  await transaction.query(sql`
    delete from remote_follows where space_id = ${space_id} and webhook_id = ${webhook_id}`)
}

/**
 * Counts a message against the rate limit, before it is copied.
 * @returns the seconds to wait; undefined if the message may be copied now
 */
export async function takeRemoteTurn(
  database: Database,
  { space_id, webhook_id }: RemoteFollowRow,
): Promise<number | undefined> {
  const taken = await database.execute(sql`
    update remote_follows set ${takenTurn}
    where space_id = ${space_id} and webhook_id = ${webhook_id} and ${hasTurn}
    returning webhook_id`)
  if (taken.length > 0) return undefined
  const [row] = await database.query<{ seconds: number | null }>(sql`
    select extract(epoch from ${nextTurn} - now())::float8 as seconds from remote_follows
    where space_id = ${space_id} and webhook_id = ${webhook_id}`)
  return Math.max(row?.seconds ?? 0, 0)
}

/** Skips messages that a frozen space missed, even if they are edited later. */
export async function passOver(
  database: Database,
  { space_id, webhook_id, taken_by }: TakenFollow,
  seq: number,
): Promise<void> {
  await database.execute(sql`
    update remote_follows set after_seq = greatest(after_seq, ${seq})
    where space_id = ${space_id} and webhook_id = ${webhook_id} and taken_by = ${taken_by}`)
}

/** Reads the log from its start again, after the other server was restored from a backup. */
export async function beginAgain(
  database: Database,
  { space_id, webhook_id, taken_by }: TakenFollow,
  lastSeq: number,
): Promise<void> {
  await database.execute(sql`
    update remote_follows set read_to = 0, after_seq = least(after_seq, ${lastSeq})
    where space_id = ${space_id} and webhook_id = ${webhook_id} and taken_by = ${taken_by}`)
}
