import { ApiError } from '#src/kernel/errors.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { OwnLimits } from './queries.ts'

const OWNER_FULL = 'the file is over the storage limit that all spaces of this owner share'
const NEW_OWNER_FULL = 'the files are over the storage limit that all spaces of the new owner share'

/**
 * Checks the storage limit over all spaces of an owner, after one of the spaces took storage. Locks the owner's sum until the
 * transaction ends, so that simultaneous uploads to several spaces cannot pass the limit together. Always called after the
 * bucket's row is locked, so that these two locks never deadlock. Users and conversations have no owner and pass.
 * @throws ApiError 413 over the limit
 */
export async function checkOwnerRoom(
  transaction: Queryable,
  tenantId: string,
  { ownerMaxBytes }: Pick<OwnLimits, 'ownerMaxBytes'>,
): Promise<void> {
  if (ownerMaxBytes === null) return
  const before = await findOwner(transaction, tenantId)
  if (before === undefined) return
  await lockOwner(transaction, before)
  const owner = await findOwner(transaction, tenantId)
  // The space got another owner during the wait for the lock.
  if (owner !== before) return checkOwnerRoom(transaction, tenantId, { ownerMaxBytes })
  if ((await sumOwnStorage(transaction, owner)) > ownerMaxBytes)
    throw new ApiError('storage_full', OWNER_FULL)
}

/**
 * Checks that the new owner's limit has room for the files of a transferred space. Locks both owners in a fixed order, so
 * that uploads wait until the transaction ends.
 * @throws ApiError 413 over the limit
 */
export async function checkTransferredFiles(
  transaction: Queryable,
  { spaceId, from, to }: { spaceId: string; from: string; to: string },
  { ownerMaxBytes }: Pick<OwnLimits, 'ownerMaxBytes'>,
): Promise<void> {
  if (ownerMaxBytes === null) return
  for (const owner of [from, to].toSorted()) await lockOwner(transaction, owner)
  const brought = await sumTenantStorage(transaction, spaceId)
  if (brought > 0 && (await sumOwnStorage(transaction, to)) + brought > ownerMaxBytes)
    throw new ApiError('storage_full', NEW_OWNER_FULL)
}

async function lockOwner(transaction: Queryable, ownerId: string): Promise<void> {
  await transaction.query(sql`select pg_advisory_xact_lock(hashtextextended('files of ' || ${ownerId}, 0))`)
}

async function findOwner(database: Queryable, tenantId: string): Promise<string | undefined> {
  const [space] = await database.query<{ owner_id: string }>(
    sql`select owner_id from spaces where id = ${tenantId}`,
  )
  return space?.owner_id
}

async function sumTenantStorage(database: Queryable, tenantId: string): Promise<number> {
  const [row] = await database.query<{ used: number }>(sql`
    select coalesce(sum(used_bytes), 0)::bigint as used
    from storage_buckets where tenant_id = ${tenantId} and kind <> 's3'`)
  return row?.used ?? 0
}

/** Sums the server's own storage over the owner's spaces, including deleted ones whose files are not swept yet. */
async function sumOwnStorage(database: Queryable, ownerId: string): Promise<number> {
  const [row] = await database.query<{ used: number }>(sql`
    select coalesce(sum(used_bytes), 0)::bigint as used from (
      select used_bytes from spaces join storage_buckets on tenant_id = spaces.id
      where owner_id = ${ownerId} and spaces.deleted_at is null and kind <> 's3'
      union all
      -- Deleted spaces may be any number: their buckets are found by an index of deleted ones.
      select used_bytes from storage_buckets join spaces on spaces.id = tenant_id
      where owner_id = ${ownerId} and spaces.deleted_at is not null and storage_buckets.deleted_at is not null
        and kind <> 's3' and used_bytes > 0
      union all
      -- An unfinished import counts as deleted, with its buckets open.
      select used_bytes from spaces join storage_buckets on tenant_id = spaces.id
      where owner_id = ${ownerId} and purge_begun_at is not null and storage_buckets.deleted_at is null and kind <> 's3'
    ) as kept`)
  return row?.used ?? 0
}
