import type { Database } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { sweepInBatches } from '#src/kernel/sweeping.ts'
import type { CopyRow } from '../follows/copies.ts'
import type { Follower } from '../follows/followers.ts'

/** The mark of a copy from another server, or of a message that is gone there. */
export interface MarkRow extends CopyRow {
  source_number: number
}

type Named = Pick<Follower, 'space_id' | 'id'>

export async function listMarks(
  database: Queryable,
  { space_id, id }: Named,
  originalIds: readonly string[],
): Promise<MarkRow[]> {
  return database.query<MarkRow>(sql`
    select space_id, webhook_id, source_message_id, room_id, message_id, left_out,
      coalesce(source_number, 0) as source_number
    from message_copies
    where space_id = ${space_id} and webhook_id = ${id} and source_message_id = any(${originalIds}::uuid[])
    order by source_message_id`)
}

/** Skips a change that cannot be copied: the mark then counts it as copied. */
export async function skipChange(database: Database, mark: MarkRow, number: number): Promise<void> {
  await database.transaction((transaction) => raiseMark(transaction, mark, number))
}

/** Saves the number of the change that the copy shows. @returns false if the copy already shows a newer change */
export async function raiseMark(
  transaction: Queryable,
  { space_id, webhook_id, source_message_id }: MarkRow,
  number: number,
): Promise<boolean> {
  const rows = await transaction.query(sql`
    update message_copies set source_number = ${number}
    where space_id = ${space_id} and webhook_id = ${webhook_id} and source_message_id = ${source_message_id}
      and coalesce(source_number, 0) < ${number}
    returning webhook_id`)
  return rows.length > 0
}

/**
 * Maximum marks without a copy per webhook. Without a limit, a server could send endless deletions of messages that
 * never existed.
 */
const MAX_GONE = 1000

/**
 * Marks messages as gone, so that a process that read them earlier does not copy them. Above the limit, only copied
 * messages are marked.
 */
export async function markGone(
  database: Database,
  { space_id, id }: Named,
  gone: readonly { id: string; number: number }[],
): Promise<void> {
  await database.execute(sql`
    insert into message_copies as known (space_id, webhook_id, source_message_id, source_number)
    select space_id, webhooks.id, original.id, number
    from webhooks
    cross join unnest(${gone.map((message) => message.id)}::uuid[], ${gone.map(({ number }) => number)}::bigint[])
      as original (id, number)
    where space_id = ${space_id} and webhooks.id = ${id} and (
      exists (select from message_copies
        where space_id = ${space_id} and webhook_id = ${id} and source_message_id = original.id)
      or (select count(*) from (
        select from message_copies where space_id = ${space_id} and webhook_id = ${id} and message_id is null
        limit ${MAX_GONE}) as gone) < ${MAX_GONE})
    on conflict (space_id, webhook_id, source_message_id) do update
      set source_number = greatest(known.source_number, excluded.source_number), made_at = now()`)
}

/** Turns the marks of copies that were deleted with their originals into marks without a copy. */
export async function clearMarks(
  transaction: Queryable,
  { space_id, webhook_id }: Pick<MarkRow, 'space_id' | 'webhook_id'>,
  copyIds: readonly string[],
): Promise<void> {
  await transaction.query(sql`
    update message_copies set room_id = null, message_id = null, left_out = '{}', made_at = now()
    where space_id = ${space_id} and webhook_id = ${webhook_id} and message_id = any(${copyIds}::uuid[])`)
}

/** Deletes the mark of a message that was gone, and is there again. */
export async function forgetGone(
  database: Database,
  { space_id, webhook_id, source_message_id }: MarkRow,
  number: number,
): Promise<void> {
  await database.execute(sql`
    delete from message_copies
    where space_id = ${space_id} and webhook_id = ${webhook_id} and source_message_id = ${source_message_id}
      and message_id is null and coalesce(source_number, 0) < ${number}`)
}

/** Resets the change numbers of all marks, after the other server was restored from a backup: its numbers start over. */
export async function forgetNumbers(database: Database, { space_id, id }: Named): Promise<void> {
  await sweepInBatches((limit) =>
    database.execute(sql`
      update message_copies set source_number = 0
      where space_id = ${space_id} and webhook_id = ${id} and source_message_id = any(array(
        select source_message_id from message_copies
        where space_id = ${space_id} and webhook_id = ${id} and source_number > 0
        order by source_message_id limit ${limit}))
      returning webhook_id`),
  )
}
