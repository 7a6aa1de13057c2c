import type { Modal } from '@foyer/protocol/interactions'
import { INTERACTION_FOLLOW_UP_SECONDS } from '@foyer/protocol/limits'
import type { Message } from '@foyer/protocol/messages'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Seconds after the interaction's deadline until an answer in progress counts as lost. */
const MAX_ANSWERING_SECONDS = 30

/**
 * Claims the interaction for an answer, so that only one of several simultaneous answers succeeds.
 * @returns false if another answer has claimed the interaction, or the deadline has passed
 */
export async function claimAnswer(database: Queryable, id: string): Promise<boolean> {
  const claimed = await database.query(sql`
    update interactions set state = 'answering'
    where id = ${id} and state = 'open' and fails_at > now() and (due_at is null or due_at > now())
    returning id`)
  return claimed.length > 0
}

/** Opens the interaction again after its answer could not be carried out. */
export function reopen(id: string) {
  return sql`update interactions set state = 'open' where id = ${id} and state = 'answering'`
}

export interface Outcome {
  originalId?: string | undefined
  modal?: Modal | undefined
}

export async function finishAnswer(
  transaction: Queryable,
  id: string,
  { originalId = undefined, modal = undefined }: Outcome,
): Promise<void> {
  await transaction.query(sql`
    update interactions set state = 'answered', original_message_id = ${originalId ?? null},
      modal = ${modal === undefined ? null : JSON.stringify(modal)}
    where id = ${id} and state = 'answering'`)
}

export interface FailedInteraction {
  id: string
  application_id: string
  user_id: string
  nonce: string | null
}

/** Fails interactions that were not answered in time, and those whose answer was interrupted. */
export async function failOverdue(transaction: Queryable, limit: number): Promise<FailedInteraction[]> {
  return transaction.query<FailedInteraction>(sql`
    update interactions set state = 'failed'
    where id in (
      select id from interactions
      where state in ('open', 'answering') and fails_at <= now()
        and (state = 'open' or fails_at <= now() - make_interval(secs => ${MAX_ANSWERING_SECONDS}))
      order by fails_at limit ${limit} for update skip locked)
    returning id, application_id, user_id, nonce`)
}

/** Returns the next deadline of an open interaction; undefined if no interaction is open. */
export async function findNextFailure(database: Queryable): Promise<string | undefined> {
  const [row] = await database.query<{ fails_at: string | null }>(
    sql`select min(fails_at) as fails_at from interactions where state = 'open'`,
  )
  return row?.fails_at ?? undefined
}

/** Finds an ephemeral message that the user can still use and the bot still change. */
export async function findEphemeral(
  database: Queryable,
  appId: string,
  messageId: string,
): Promise<{ user_id: string; message: Message } | undefined> {
  const [row] = await database.query<{ user_id: string; message: Message }>(sql`
    select user_id, message from ephemeral_messages
    where id = ${messageId} and application_id = ${appId} and expires_at > now()`)
  return row
}

export interface NewEphemeral {
  id: string
  applicationId: string
  userId: string
  interactionId: string
  /** The message as JSON. */
  message: string
}

/** Stores an ephemeral message or its change, for as long as the bot can send follow-ups. */
export async function saveEphemeral(transaction: Queryable, given: NewEphemeral): Promise<void> {
  const { id, applicationId, userId, interactionId, message } = given
  await transaction.query(sql`
    insert into ephemeral_messages as known (id, application_id, user_id, message, expires_at)
    select ${id}, ${applicationId}, ${userId}, ${message},
      created_at + make_interval(secs => ${INTERACTION_FOLLOW_UP_SECONDS})
    from interactions where id = ${interactionId}
    on conflict (id) do update set message = excluded.message,
      expires_at = greatest(known.expires_at, excluded.expires_at)`)
}

export async function deleteEphemeral(
  transaction: Queryable,
  appId: string,
  messageId: string,
): Promise<boolean> {
  const rows = await transaction.query(sql`
    delete from ephemeral_messages where id = ${messageId} and application_id = ${appId} returning id`)
  return rows.length > 0
}

/** Deletes expired rows, at most `limit` of each kind. */
export async function sweep(database: Queryable, limit: number): Promise<boolean> {
  const swept = await Promise.all([
    database.query(sql`
      delete from interactions where id in (
        select id from interactions where created_at < now() - interval '16 minutes'
        order by created_at limit ${limit})
      returning id`),
    database.query(sql`
      delete from ephemeral_messages where id in (
        select id from ephemeral_messages where expires_at < now() order by expires_at limit ${limit})
      returning id`),
    database.query(sql`
      delete from interaction_nonces where (user_id, nonce) in (
        select user_id, nonce from interaction_nonces where created_at < now() - interval '24 hours'
        order by created_at limit ${limit})
      returning interaction_id`),
  ])
  return swept.some(({ length }) => length >= limit)
}
