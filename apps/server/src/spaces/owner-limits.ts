import { MAX_OWNED_OVERWRITES, MAX_OWNED_ROOMS } from '@foyer/protocol/limits'
import { ApiError } from '#src/kernel/errors.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Rows that a change added to one of an owner's spaces. */
export interface AddedRows {
  rooms: number
  overwrites: number
}

/**
 * Checks the limits over all spaces of an owner, after a change added rows. Locks the owner until the transaction ends, so
 * that simultaneous changes of several spaces cannot pass a limit together. Call it after locking the space: the same order
 * everywhere prevents deadlocks.
 * @throws ApiError 400 if the owner has more rooms or overwrites than an owner may have
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

/** Counts the rooms of the owner's spaces, up to one more than the limit. */
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
