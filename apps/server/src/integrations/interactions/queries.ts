import type { Interaction, Modal } from '@foyer/protocol/interactions'
import {
  INTERACTION_ANSWER_SECONDS,
  INTERACTION_FOLLOW_UP_SECONDS,
  INTERACTION_LEASE_SECONDS,
  INTERACTION_WAIT_SECONDS,
} from '@foyer/protocol/limits'
import { isUnlocked } from '#src/kernel/secrets/account-locks.ts'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

export interface InteractionRow {
  id: string
  application_id: string
  user_id: string
  nonce: string | null
  /** The interaction as the bot receives it; its token is empty here. */
  interaction: Interaction
  source_message_id: string | null
  state: 'open' | 'answering' | 'answered' | 'failed'
  created_at: string
  original_message_id: string | null
  modal: Modal | null
}

const columns = fragment`
  id, application_id, user_id, nonce, interaction, source_message_id, state, created_at, original_message_id,
  modal`

export interface NewInteraction {
  id: string
  applicationId: string
  userId: string
  nonce: string | null
  /** The interaction as JSON, without its token. */
  interaction: string
  sourceMessageId: string | null
  /** True if the bot is connected, and thus receives the interaction when it is created. */
  isHeard: boolean
}

/**
 * Inserts the interaction. If the bot receives it over the gateway, it needs no lease, and the time to answer begins
 * now.
 */
export async function insertInteraction(transaction: Queryable, given: NewInteraction): Promise<void> {
  const { id, applicationId, userId, nonce, interaction, sourceMessageId, isHeard } = given
  const waitSeconds = isHeard ? INTERACTION_ANSWER_SECONDS : INTERACTION_WAIT_SECONDS
  await transaction.query(sql`
    insert into interactions (id, application_id, user_id, nonce, interaction, source_message_id, due_at, fails_at)
    values (${id}, ${applicationId}, ${userId}, ${nonce}, ${interaction}, ${sourceMessageId},
      case when ${isHeard}::boolean then now() + make_interval(secs => ${waitSeconds}) end,
      now() + make_interval(secs => ${waitSeconds}))`)
}

/**
 * Stores the nonce with the new interaction's id, unless the user has used it within 24 hours.
 * @returns the id of the interaction that has the nonce: the new one, or an earlier one
 */
export async function claimNonce(
  transaction: Queryable,
  { id, userId, nonce }: { id: string; userId: string; nonce: string },
): Promise<string> {
  const claimed = await transaction.query(sql`
    insert into interaction_nonces as known (user_id, nonce, interaction_id) values (${userId}, ${nonce}, ${id})
    on conflict (user_id, nonce) do update set interaction_id = excluded.interaction_id, created_at = now()
      where known.created_at < now() - interval '24 hours'
    returning interaction_id`)
  if (claimed.length > 0) return id
  return (await findIdByNonce(transaction, userId, nonce)) ?? id
}

export async function findIdByNonce(
  database: Queryable,
  userId: string,
  nonce: string,
): Promise<string | undefined> {
  const [row] = await database.query<{ interaction_id: string }>(sql`
    select interaction_id from interaction_nonces
    where user_id = ${userId} and nonce = ${nonce} and created_at >= now() - interval '24 hours'`)
  return row?.interaction_id
}

/** Finds an interaction that can still be followed up: it is recent, and its bot is neither deleted nor locked. */
export async function findInteraction(database: Queryable, id: string): Promise<InteractionRow | undefined> {
  const [row] = await database.query<InteractionRow>(sql`
    select ${columns} from interactions
    where id = ${id} and created_at > now() - make_interval(secs => ${INTERACTION_FOLLOW_UP_SECONDS})
      and exists (select from users where users.id = application_id and deleted_at is null and ${isUnlocked})`)
  return row
}

export interface Taken {
  interaction: Interaction
  leased_until: string
}

/** Leases the oldest waiting interaction to one poller. Simultaneous pollers get different interactions. */
export function takeNext(appId: string) {
  return sql`
    update interactions set
      leased_until = now() + make_interval(secs => ${INTERACTION_LEASE_SECONDS}),
      due_at = now() + make_interval(secs => ${INTERACTION_ANSWER_SECONDS}),
      fails_at = greatest(
        created_at + make_interval(secs => ${INTERACTION_WAIT_SECONDS}),
        now() + make_interval(secs => ${INTERACTION_ANSWER_SECONDS}))
    where id = (
      select id from interactions
      where application_id = ${appId} and state = 'open' and fails_at > now()
        and (leased_until is null or leased_until <= now())
        and created_at > now() - make_interval(secs => ${INTERACTION_WAIT_SECONDS})
      order by created_at, id limit 1 for update skip locked)
    returning interaction, leased_until`
}

/** Ends the lease of an interaction whose poller disconnected. */
export function release(id: string, leasedUntil: string) {
  return sql`
    update interactions set leased_until = null
    where id = ${id} and state = 'open' and leased_until = ${leasedUntil}`
}

/** Counts the waiting interactions of these applications. */
export async function countWaiting(
  database: Queryable,
  appIds: readonly string[],
): Promise<{ application_id: string; count: number }[]> {
  return database.query(sql`
    select application_id, count(*) from interactions
    where application_id = any(${appIds}) and state = 'open' and fails_at > now()
      and (leased_until is null or leased_until <= now())
      and created_at > now() - make_interval(secs => ${INTERACTION_WAIT_SECONDS})
    group by application_id order by application_id`)
}
