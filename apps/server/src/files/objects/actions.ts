import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { SpooledFile } from '#src/kernel/http/bodies/multipart.ts'
import type { Examined, Media, Wish } from '#src/kernel/media/media.ts'
import {
  lockReserved,
  lockUnshown,
  markDeleted,
  markLive,
  markStored,
  resumeBuckets,
  type StoredFacts,
  suspendBuckets,
  takeRoom,
} from './ledger.ts'
import { checkOwnerRoom } from './owner-room.ts'
import { findBucket, type OwnLimits } from './queries.ts'
import { type FileTarget, type Reservation, reserveFile } from './reservation.ts'
import { type BucketRow, type FileRow, keyOf } from './rows.ts'
import { storageChange } from './storage-change.ts'
import { asStoreAnswer } from './store-answers.ts'
import type { Stores } from './stores.ts'

export interface FileDeps {
  database: Database
  stores: Stores
  media: Media
  ownLimits: OwnLimits
}

/** Seconds for which storage is reserved: far longer than storing a file through the server takes. */
const KEPT_SECONDS = 60 * 60

/**
 * Stores a file that came through the server: reserves space, examines and cleans the file, writes the object. Nothing
 * shows the file yet. On failure nothing is kept.
 * @throws ApiError 422 without a bucket, 413 over its limits, 400 for a bad image, 503 if the storage does not answer
 *   or the bucket was deleted
 */
export async function storeFile(deps: FileDeps, target: FileTarget, spooled: SpooledFile): Promise<FileRow> {
  const announced = { ...spooled, keptSeconds: KEPT_SECONDS, incomingSeconds: null }
  const reservation = await deps.database.transaction((transaction) =>
    reserveFile(transaction, target, announced, deps.ownLimits),
  )
  return keepOrDiscard(deps, [reservation.file], async () => {
    const examined = await deps.media.examine(
      spooled.path,
      reservationRequestOf(target, spooled),
      target.ownerId,
    )
    return putExamined(deps, reservation, spooled.filename, examined)
  })
}

/** Writes the examined file and marks it stored. */
export async function putExamined(
  deps: FileDeps,
  { file, bucket }: Reservation,
  filename: string,
  examined: Examined,
): Promise<FileRow> {
  await asStoreAnswer(deps.stores.of(bucket).put(keyOf(file), examined))
  return settleFile(deps, { file, bucket }, { ...examined, filename })
}

/**
 * Marks the object complete. Its size may differ from the announced one.
 * @throws ApiError 413 if it is larger and the storage has no room, 503 if its bucket was deleted or the reservation ended
 */
export async function settleFile(
  { database, ownLimits }: Pick<FileDeps, 'database' | 'ownLimits'>,
  { file, bucket }: Reservation,
  facts: StoredFacts,
): Promise<FileRow> {
  return database.transaction(async (transaction) => {
    const reserved = await lockReserved(transaction, file)
    if (reserved === undefined) throw new ApiError('unavailable')
    const growth = facts.sizeBytes - reserved.size_bytes
    const kept = await takeRoom(transaction, bucket, growth)
    if (kept === undefined)
      throw new ApiError((await isThere(transaction, bucket)) ? 'storage_full' : 'unavailable')
    if (growth > 0 && kept.kind !== 's3') await checkOwnerRoom(transaction, bucket.tenant_id, ownLimits)
    const stored = await markStored(transaction, file, facts)
    if (stored === undefined) throw new ApiError('unavailable')
    return stored
  })
}

/** Stores all of the files or none. @throws ApiError with the errors of `storeFile` */
export function storeFiles(
  deps: FileDeps,
  target: FileTarget,
  spooled: readonly SpooledFile[],
): Promise<FileRow[]> {
  return allOrNone(
    deps,
    spooled.map((file) => storeFile(deps, target, file)),
  )
}

/** Waits for all files. If one fails, the others are discarded. */
export async function allOrNone(
  deps: Pick<FileDeps, 'database'>,
  storing: readonly Promise<FileRow | undefined>[],
): Promise<FileRow[]> {
  const attempts = await Promise.allSettled(storing)
  const stored = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? (attempt.value ?? []) : []))
  return keepOrDiscard(deps, stored, async () => {
    for (const attempt of attempts) if (attempt.status === 'rejected') throw attempt.reason
    return stored
  })
}

/** Discards the files if the work that needs them fails. */
export async function keepOrDiscard<T>(
  { database }: Pick<FileDeps, 'database'>,
  files: readonly Pick<FileRow, 'tenant_id' | 'id'>[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // If discarding fails, too, the reservations expire and the sweep deletes them.
    await discardUnshown(database, files).catch(() => undefined)
    throw error
  }
}

/** Discards unused files, in a separate transaction. */
export async function discardUnshown(
  database: Database,
  files: readonly Pick<FileRow, 'tenant_id' | 'id'>[],
): Promise<void> {
  const byTenant = Map.groupBy(files, (file) => file.tenant_id)
  await database.transaction(async (transaction) => {
    for (const [tenantId, ofTenant] of byTenant) {
      const ids = ofTenant.map(({ id }) => id)
      // If the transaction committed although its answer was lost, the files are in use, and stay.
      await discardFiles(transaction, tenantId, await lockUnshown(transaction, tenantId, ids))
    }
  })
}

/**
 * Marks the files live, because a message or setting now uses them.
 * @throws ApiError 404 if one of them was deleted or is already in use
 */
export async function claimFiles(
  transaction: Transaction,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  const claimed = await markLive(transaction, tenantId, ids)
  if (claimed.length < ids.length) throw new ApiError('unknown_attachment')
}

/**
 * Marks the files deleted: their storage is released immediately, downloads stop, and the sweep deletes their objects.
 * @returns the files that were not deleted before
 */
export async function discardFiles(
  transaction: Transaction,
  tenantId: string,
  ids: readonly string[],
): Promise<FileRow[]> {
  if (ids.length === 0) return []
  const deleted = await markDeleted(transaction, tenantId, ids)
  if (deleted.length > 0)
    transaction.publish(storageChange(tenantId, { attachment_ids: deleted.map(({ id }) => id) }))
  return deleted
}

/** Closes the buckets of a deleted space: its files immediately lose their addresses, and no more can be stored. */
export async function hideSpaceFiles(transaction: Transaction, spaceId: string): Promise<void> {
  for (const bucketId of await suspendBuckets(transaction, spaceId))
    transaction.publish(storageChange(spaceId, { bucket_id: bucketId }))
}

/** Opens the buckets of a space that is brought back: its files have their addresses again. */
export async function showSpaceFiles(transaction: Transaction, spaceId: string): Promise<void> {
  for (const bucketId of await resumeBuckets(transaction, spaceId))
    transaction.publish(storageChange(spaceId, { bucket_id: bucketId }))
}

async function isThere(transaction: Transaction, { tenant_id, id }: BucketRow): Promise<boolean> {
  const bucket = await findBucket(transaction, tenant_id, id)
  return bucket?.deleted_at === null
}

function reservationRequestOf({ fit }: FileTarget, { contentType }: SpooledFile): Wish {
  return fit === undefined ? { kind: 'any', claimedType: contentType } : { kind: 'image', fit }
}
