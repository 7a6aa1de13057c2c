import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { PurgedTable } from './purged-tables.ts'

/** Lists expired deleted spaces, oldest first. A space whose purge has begun is listed until it is deleted. */
export async function listDueSpaces(database: Queryable, limit: number): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from spaces
    where deleted_at is not null and coalesce(restorable_until, deleted_at) <= now() and held_at is null
    order by deleted_at limit ${limit}`)
  return rows.map(({ id }) => id)
}

/**
 * Marks the beginning of the purge, after which the space cannot be brought back.
 * @returns false for a space that was purged, brought back or held
 */
export async function beginPurge(transaction: Queryable, spaceId: string): Promise<boolean> {
  const begun = await transaction.query(sql`
    update spaces set purge_begun_at = coalesce(purge_begun_at, now())
    where id = ${spaceId} and deleted_at is not null and coalesce(restorable_until, deleted_at) <= now()
      and held_at is null
    returning id`)
  return begun.length > 0
}

/** Locks a space whose purge has begun; false once it is deleted. */
export async function keepPurging(transaction: Queryable, spaceId: string): Promise<boolean> {
  const rows = await transaction.query(
    sql`select from spaces where id = ${spaceId} and purge_begun_at is not null for update`,
  )
  return rows.length > 0
}

/** Deletes a batch of the space's rows in a table. Returns their number. */
export async function purgeTable(
  transaction: Queryable,
  { table, column }: PurgedTable,
  spaceId: string,
  limit: number,
): Promise<number> {
  const deleted = await transaction.query(sql`
    delete from ${table} where ${column} = ${spaceId} and ctid = any(array(
      select ctid from ${table} where ${column} = ${spaceId} limit ${limit}))
    returning 1 as deleted`)
  return deleted.length
}

/** Deletes a batch of read states, which are found by room or thread, and therefore deleted before the rooms and threads. */
export async function purgeReadStates(
  transaction: Queryable,
  spaceId: string,
  limit: number,
): Promise<number> {
  const deleted = await transaction.query(sql`
    delete from read_states where tenant_id = ${spaceId} and ctid = any(array(
      select read_states.ctid
      from (
        select id from rooms where space_id = ${spaceId}
        union all select id from thread_rooms where space_id = ${spaceId}
      ) as place join read_states on channel_id = place.id
      limit ${limit}))
    returning 1 as deleted`)
  return deleted.length
}

export async function purgeVoiceStates(transaction: Queryable, spaceId: string): Promise<void> {
  await transaction.query(sql`delete from voice_states where tenant_id = ${spaceId}`)
}

/** Deletes the row of an otherwise empty space. */
export async function deleteSpaceRow(transaction: Queryable, spaceId: string): Promise<void> {
  await transaction.query(sql`delete from spaces where id = ${spaceId}`)
}
