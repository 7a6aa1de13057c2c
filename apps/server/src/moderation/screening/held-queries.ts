import type { HeldMessage } from '@foyer/protocol/automod'
import { AUTOMOD_DAYS } from '@foyer/protocol/limits'
import type { CreateMessageBody } from '@foyer/protocol/messages'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** The thread that a held message begins, once it is approved. */
export interface HeldBeginning {
  readonly title: string
  readonly starter_message_id: string | null
  /** Null if the thread's author chose none. */
  readonly quiet_minutes: number | null
  readonly tags: readonly string[]
  /** True moves the replies to the starting message into the thread. */
  readonly moves_replies?: boolean
}

/** A held message in its stored form. */
export interface HeldRow extends Pick<HeldMessage, 'space_id' | 'id' | 'room_id' | 'rule_id' | 'rule_name'> {
  /** The thread to which the message was sent, or which begins with it; null for a message in the room. */
  readonly thread_id: string | null
  readonly begins: HeldBeginning | null
  readonly user_id: string
  readonly nonce: string | null
  readonly body: CreateMessageBody
  readonly file_ids: readonly string[]
}

type HeldKey = Pick<HeldRow, 'space_id' | 'id'>

const heldColumns = fragment`
  space_id, id, room_id, thread_id, begins, rule_id, rule_name, user_id, nonce, body, file_ids`

interface HeldCounts {
  all: number
  own: number
  isRetry: boolean
}

/** @returns false if the author's message with that nonce is held already */
export async function insertHeld(transaction: Queryable, row: HeldRow): Promise<boolean> {
  const { space_id, id, room_id, thread_id, begins, rule_id, rule_name, user_id, nonce, body, file_ids } = row
  const inserted = await transaction.query(sql`
    insert into held_messages
      (space_id, id, room_id, thread_id, begins, rule_id, rule_name, user_id, nonce, body, file_ids)
    values (${space_id}, ${id}, ${room_id}, ${thread_id}, ${begins && JSON.stringify(begins)}, ${rule_id}, ${rule_name},
      ${user_id}, ${nonce}, ${JSON.stringify(body)}, ${file_ids})
    on conflict do nothing
    returning id`)
  return inserted.length > 0
}

/** Counts the messages that wait in the space and those by the user, and returns whether this message is one of them. */
export async function countHeld(
  transaction: Queryable,
  { space_id, room_id, user_id, nonce }: HeldRow,
): Promise<HeldCounts> {
  const [counts] = await transaction.query<HeldCounts>(sql`
    select count(*)::integer as all, count(*) filter (where user_id = ${user_id})::integer as own,
      coalesce(bool_or(user_id = ${user_id} and room_id = ${room_id} and nonce = ${nonce}), false) as "isRetry"
    from held_messages where space_id = ${space_id}`)
  return counts ?? { all: 0, own: 0, isRetry: false }
}

/** Returns the messages that wait in the rooms, oldest first. */
export async function listHeldRows(
  database: Queryable,
  spaceId: string,
  roomIds: readonly string[],
): Promise<HeldRow[]> {
  return database.query<HeldRow>(sql`
    select ${heldColumns} from held_messages where space_id = ${spaceId} and room_id = any(${roomIds}) order by id`)
}

export async function findHeld(
  database: Queryable,
  spaceId: string,
  id: string,
): Promise<HeldRow | undefined> {
  const [row] = await database.query<HeldRow>(sql`
    select ${heldColumns} from held_messages where space_id = ${spaceId} and id = ${id}`)
  return row
}

/**
 * Reserves the message for one moderator, who posts it. If posting is interrupted, the message can be claimed again
 * after a minute.
 * @param claim a random id
 * @returns false if the message was deleted, or another moderator has claimed it
 */
export async function claimHeld(
  database: Queryable,
  { space_id, id }: HeldKey,
  claim: string,
): Promise<boolean> {
  const claimed = await database.query(sql`
    update held_messages set claim = ${claim}, claimed_at = now()
    where space_id = ${space_id} and id = ${id}
      and (claimed_at is null or claimed_at < now() - interval '1 minute')
    returning id`)
  return claimed.length > 0
}

export async function releaseHeld(
  database: Queryable,
  { space_id, id }: HeldKey,
  claim: string,
): Promise<void> {
  await database.query(sql`
    update held_messages set claim = null, claimed_at = null
    where space_id = ${space_id} and id = ${id} and claim = ${claim}`)
}

/**
 * Deletes a held message.
 * @param claim the caller's claim; null to delete a message that no moderator has claimed
 * @returns false if the message was deleted before, or another moderator has claimed it
 */
export async function deleteHeld(
  transaction: Queryable,
  { space_id, id }: HeldKey,
  claim: string | null,
): Promise<boolean> {
  const deleted = await transaction.query(sql`
    delete from held_messages
    where space_id = ${space_id} and id = ${id} and claim is not distinct from ${claim}::uuid
    returning id`)
  return deleted.length > 0
}

/** Deletes the held messages of a deleted room. A sweep deletes their files. */
export async function deleteHeldIn(transaction: Queryable, spaceId: string, roomId: string): Promise<void> {
  await transaction.query(sql`delete from held_messages where space_id = ${spaceId} and room_id = ${roomId}`)
}

/** Deletes the users' held messages and their recorded hits. */
export async function deleteCaughtOf(
  transaction: Queryable,
  spaceId: string,
  userIds: readonly string[],
): Promise<void> {
  await transaction.query(sql`
    with held as (
      delete from held_messages where space_id = ${spaceId} and user_id = any(${userIds})
    )
    delete from automod_hits where space_id = ${spaceId} and user_id = any(${userIds})`)
}

/**
 * Keeps the files of a held message.
 * @returns false if one of them was deleted
 */
export async function keepHeldFiles(
  transaction: Queryable,
  { space_id, file_ids }: Pick<HeldRow, 'space_id' | 'file_ids'>,
): Promise<boolean> {
  if (file_ids.length === 0) return true
  const kept = await transaction.query(sql`
    update attachments set purpose = 'held',
      sweep_at = now() + make_interval(days => ${AUTOMOD_DAYS}::integer) + interval '1 hour'
    where tenant_id = ${space_id} and id = any(${file_ids}) and state = 'stored' and purpose = 'message'
    returning id`)
  return kept.length === file_ids.length
}

/** Turns the files back into uploads of the author, for a message that is posted or discarded. */
export async function freeHeldFiles(
  database: Queryable,
  { space_id, file_ids }: Pick<HeldRow, 'space_id' | 'file_ids'>,
): Promise<void> {
  if (file_ids.length === 0) return
  await database.query(sql`
    update attachments set purpose = 'message'
    where tenant_id = ${space_id} and id = any(${file_ids}) and state = 'stored' and purpose = 'held'`)
}
