import { MAX_OWNED_OVERWRITES, MAX_OWNED_ROOMS } from '@foyer/protocol/limits'
import { ApiError } from '#src/kernel/errors.ts'
import { type Queryable, sql } from '#src/kernel/sql.ts'

/** Rows that a change has added to the spaces of an owner. */
export interface AddedRows {
  rooms: number
  overwrites: number
}

/**
 * Checks that all spaces of their owner together stay within their limits, now that a change added rows to one of them. The owner
 * stays locked until the transaction ends: changes of several spaces at the same time cannot pass a limit together. Called behind
 * the lock of the space, always in this order.
 * @throws ApiError 400 with more rooms or overwrites than an owner may have
 */
export async function checkOwnerLimits(
  transaction: Queryable,
  ownerId: string,
  added: AddedRows,
): Promise<void> {
  if (added.rooms === 0 && added.overwrites === 0) return
  await transaction.query(
    sql`select pg_advisory_xact_lock(hashtextextended('structure of ' || ${ownerId}, 0))`,
  )
  if (added.rooms > 0 && (await countOwnedRooms(transaction, ownerId)) > MAX_OWNED_ROOMS)
    throw new ApiError('too_many_owned_rooms')
  if (added.overwrites > 0 && (await countOwnedOverwrites(transaction, ownerId)) > MAX_OWNED_OVERWRITES)
    throw new ApiError('too_many_owned_overwrites')
}

/** No further than one past the limit. */
async function countOwnedRooms(database: Queryable, ownerId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*) from (
      select from spaces join rooms on space_id = spaces.id
      where owner_id = ${ownerId} and deleted_at is null limit ${MAX_OWNED_ROOMS + 1}
    ) as owned`)
  return row?.count ?? 0
}

async function countOwnedOverwrites(database: Queryable, ownerId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*) from (
      select from spaces join room_overwrites on space_id = spaces.id
      where owner_id = ${ownerId} and deleted_at is null limit ${MAX_OWNED_OVERWRITES + 1}
    ) as owned`)
  return row?.count ?? 0
}
