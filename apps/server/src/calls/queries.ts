import type { Call } from '@foyer/protocol/voice'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** A call that ended, as its message shows it. */
export interface EndedCall {
  readonly initiator_id: string
  readonly started_at: string
  readonly ended_at: string
  readonly participant_ids: readonly string[]
}

/** Shows no user as ringing after `ring_until`, even if the job has not cleared `ringing` yet. */
const callColumns = fragment`
  tenant_id as conversation_id, initiator_id, started_at,
  case when ring_until > now() then ringing else '{}' end as ringing`

/** Lists the conversations' calls in progress. */
export async function listCalls(database: Queryable, conversationIds: readonly string[]): Promise<Call[]> {
  return database.query<Call>(sql`
    select ${callColumns} from calls where tenant_id = any(${conversationIds}) order by tenant_id`)
}

/** Locks the call against changes until the transaction ends. Several transactions may hold this lock. */
export async function holdCall(transaction: Queryable, conversationId: string): Promise<Call | undefined> {
  const [call] = await transaction.query<Call>(sql`
    select ${callColumns} from calls where tenant_id = ${conversationId} for share`)
  return call
}

/** Locks the call exclusively until the transaction ends. Returns undefined if there is no call. */
export async function lockCall(
  transaction: Queryable,
  conversationId: string,
): Promise<Pick<EndedCall, 'participant_ids'> | undefined> {
  const [call] = await transaction.query<Pick<EndedCall, 'participant_ids'>>(sql`
    select participant_ids from calls where tenant_id = ${conversationId} for update`)
  return call
}

/** Lists the users in the call. */
export async function listPresent(transaction: Queryable, conversationId: string): Promise<string[]> {
  const rows = await transaction.query<{ user_id: string }>(sql`
    select user_id from voice_states
    where tenant_id = ${conversationId} and channel_id = ${conversationId} order by user_id`)
  return rows.map(({ user_id }) => user_id)
}

/** Lists the members whom the user may ring: people, not bots, with no block between them and the user. */
export async function listRingable(
  transaction: Queryable,
  conversationId: string,
  userId: string,
): Promise<string[]> {
  const rows = await transaction.query<{ user_id: string }>(sql`
    select member.user_id from conversation_members as member join users on users.id = member.user_id
    where conversation_id = ${conversationId} and member.user_id <> ${userId} and not is_bot and deleted_at is null
      and not exists (
        select from blocks
        where (blocks.user_id = ${userId} and blocked_id = member.user_id)
          or (blocks.user_id = member.user_id and blocked_id = ${userId}))
    order by member.user_id`)
  return rows.map(({ user_id }) => user_id)
}

interface Ringing {
  userIds: readonly string[]
  seconds: number
}

export async function insertCall(
  transaction: Queryable,
  conversationId: string,
  initiatorId: string,
  { userIds, seconds }: Ringing,
): Promise<Call> {
  const [call] = await transaction.query<Call>(sql`
    insert into calls (tenant_id, initiator_id, ringing, participant_ids, ring_until)
    values (
      ${conversationId}, ${initiatorId}, ${userIds}, array[${initiatorId}::uuid], now() + make_interval(secs => ${seconds}))
    returning ${callColumns}`)
  if (call === undefined) throw new Error('the call was not inserted')
  return call
}

/** Records that the user took part in the call. */
export async function addParticipant(
  transaction: Queryable,
  conversationId: string,
  userId: string,
): Promise<void> {
  await transaction.query(sql`
    update calls set participant_ids = participant_ids || ${userId}::uuid
    where tenant_id = ${conversationId} and ${userId} <> all(participant_ids)`)
}

/** Stops ringing for the user. Returns the call; undefined if it was not ringing for the user. */
export async function removeRinging(
  transaction: Queryable,
  conversationId: string,
  userId: string,
): Promise<Call | undefined> {
  const [call] = await transaction.query<Call>(sql`
    update calls set ringing = array_remove(ringing, ${userId})
    where tenant_id = ${conversationId} and ${userId} = any(ringing)
    returning ${callColumns}`)
  return call
}

export async function saveRinging(
  transaction: Queryable,
  conversationId: string,
  { userIds, seconds }: Ringing,
): Promise<Call | undefined> {
  const [call] = await transaction.query<Call>(sql`
    update calls set ringing = ${userIds}, ring_until = now() + make_interval(secs => ${seconds})
    where tenant_id = ${conversationId}
    returning ${callColumns}`)
  return call
}

/** Stops ringing for everyone. Returns the call; undefined if no user is being rung, or the time to ring is not over. */
export async function clearRinging(
  transaction: Queryable,
  conversationId: string,
): Promise<Call | undefined> {
  const [call] = await transaction.query<Call>(sql`
    update calls set ringing = '{}'
    where tenant_id = ${conversationId} and ringing <> '{}' and ring_until <= now()
    returning ${callColumns}`)
  return call
}

/** Deletes the call, which ends now, not at the start of the transaction: it may have waited while other users left. */
export async function deleteCall(
  transaction: Queryable,
  conversationId: string,
): Promise<EndedCall | undefined> {
  const [call] = await transaction.query<EndedCall>(sql`
    delete from calls where tenant_id = ${conversationId}
    returning initiator_id, started_at, clock_timestamp() as ended_at, participant_ids`)
  return call
}
