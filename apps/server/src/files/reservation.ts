import type { Transaction } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { insertFile, takeRoom } from './ledger.ts'
import { checkOwnerRoom } from './owner-room.ts'
import { findActiveBucket, findBucket, makeOwnBucket, type OwnLimits } from './queries.ts'
import type { BucketRow, FileRow, Purpose } from './rows.ts'

export interface FileTarget {
  tenantId: string
  ownerId: string
  purpose: Purpose
  /** `bucket`: the space's active one, and nothing without; `own`: the server's own storage. */
  where: 'bucket' | 'bucket-or-own' | 'own'
  /** Of message files: the room. */
  channelId?: string
  /** For images, and nothing else is taken then: the box that it is made to fit, in pixels. */
  fit?: { width: number; height: number }
}

export interface Announced {
  filename: string
  contentType: string
  sizeBytes: number
  keptSeconds: number
  incomingSeconds: number | null
}

/** What was announced, and where it is going to be. */
export interface Reservation {
  file: Pick<FileRow, 'tenant_id' | 'id'>
  bucket: BucketRow
}

/**
 * Keeps room for a file, whose row is there before its object: whatever is killed from here on, it is swept.
 * @throws ApiError 422 without a bucket, 413 for a file over its limit for one upload or with no room left, for its space or for
 *   all of the owner's spaces, 507 where the server's disk has too little, 503 for a tenant that is gone
 */
export async function reserveFile(
  transaction: Transaction,
  target: FileTarget,
  announced: Announced,
  own: OwnLimits,
): Promise<Reservation> {
  const chosen = await chooseBucket(transaction, target, own)
  const { sizeBytes } = announced
  // The own storage of an account that was deleted meanwhile: no other takes its place.
  if (chosen.deleted_at !== null) throw new ApiError('unavailable')
  if (chosen.upload_limit_bytes !== null && sizeBytes > chosen.upload_limit_bytes)
    throw new ApiError('upload_too_large')
  if (chosen.kind !== 's3') await own.disk?.check(sizeBytes)
  // As it is behind its lock: until then it may have moved, with its files, to another place.
  const bucket = await takeRoom(transaction, chosen, sizeBytes)
  if (bucket === undefined) {
    const now = await findBucket(transaction, chosen.tenant_id, chosen.id)
    if (now?.deleted_at === null) throw new ApiError('storage_full')
    return reserveFile(transaction, target, announced, own)
  }
  if (bucket.kind !== 's3') await checkOwnerRoom(transaction, bucket.tenant_id, own)
  const { tenantId, ownerId, purpose, channelId = null } = target
  const id = newId()
  await insertFile(transaction, {
    ...announced,
    id,
    tenantId,
    bucketId: bucket.id,
    ownerId,
    purpose,
    channelId,
  })
  return { file: { tenant_id: tenantId, id }, bucket }
}

/**
 * Whether there is a place for such a file: what can be said before it is read.
 * @throws ApiError 422 without a bucket
 */
export async function chooseBucket(
  transaction: Transaction,
  { tenantId, where }: Pick<FileTarget, 'tenantId' | 'where'>,
  own: OwnLimits,
): Promise<BucketRow> {
  const active = where === 'own' ? undefined : await findActiveBucket(transaction, tenantId)
  if (active !== undefined) return active
  if (where === 'bucket') throw new ApiError('no_bucket')
  return makeOwnBucket(transaction, tenantId, own)
}
