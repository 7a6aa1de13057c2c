import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { insertFile, takeRoom } from './ledger.ts'
import { checkOwnerRoom } from './owner-room.ts'
import { findActiveBucket, findBucket, makeOwnBucket, type OwnLimits } from './queries.ts'
import type { BucketRow, FileRow, Purpose } from './rows.ts'

/** Limits for archives, which do not count against anyone's storage. The limit of the disk still applies. */
export const UNLIMITED = {
  maxBytes: null,
  uploadLimitBytes: Number.MAX_SAFE_INTEGER,
  ownerMaxBytes: null,
} satisfies OwnLimits

export interface FileTarget {
  tenantId: string
  ownerId: string
  purpose: Purpose
  /** `bucket`: the space's active bucket; an error if it has none. `own`: the server's own storage. */
  where: 'bucket' | 'bucket-or-own' | 'own'
  /** Room or conversation of a message file. */
  channelId?: string
  /** For images, the box in pixels that the image is scaled to fit. Other files are then refused. */
  fit?: { width: number; height: number }
}

export interface Announced {
  filename: string
  /** Alternative text; none when omitted. */
  description?: string | null
  contentType: string
  sizeBytes: number
  keptSeconds: number
  incomingSeconds: number | null
}

/** A reserved file and its bucket. */
export interface Reservation {
  file: Pick<FileRow, 'tenant_id' | 'id'>
  bucket: BucketRow
}

/**
 * Reserves space for a file. The row exists before its object, so the sweep finds it in any case.
 * @throws ApiError 422 without a bucket; 413 over the limit per upload, or if the bucket or all spaces of the owner together
 * have no room left; 507 if the server's disk is too full; 503 for a deleted tenant
 */
export async function reserveFile(
  transaction: Transaction,
  target: FileTarget,
  announced: Announced,
  own: OwnLimits,
): Promise<Reservation> {
  const chosen = await chooseBucket(transaction, target, own)
  const { sizeBytes } = announced
  // The tenant was deleted: its storage is closed, and gets no replacement.
  if (chosen.deleted_at !== null) throw new ApiError('unavailable')
  if (chosen.upload_limit_bytes !== null && sizeBytes > chosen.upload_limit_bytes)
    throw new ApiError('upload_too_large')
  if (chosen.kind !== 's3') await own.disk?.check(sizeBytes)
  // Read again under the lock: the bucket may have moved, with its files.
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
    description: null,
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
 * Chooses the bucket for a file before the file is read.
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
