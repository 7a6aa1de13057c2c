import { Permission } from '@foyer/protocol/permissions'
import type { BucketRow } from '#src/files/objects/rows.ts'
import { storageChange } from '#src/files/objects/storage-change.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { type HeldSpace, holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { accessBucket } from '../access.ts'
import { bucketDeleted, bucketUpdated, targetOf } from '../bucket-events.ts'
import { listBuckets, listHeldImages, markBucketDeleted, setActive } from '../queries.ts'
import { discardImages } from './discard.ts'

interface Deps {
  database: Database
}

const { ManageSpaceBuckets } = Permission

/**
 * Sends new uploads to this bucket instead of the previously active one.
 * @throws ApiError 404 for a bucket of another space
 */
export async function activateBucket(
  { database }: Deps,
  access: SpaceAccess,
  bucketId: string,
): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, ManageSpaceBuckets)
    const bucket = await accessBucket(transaction, held, bucketId)
    const buckets = await listBuckets(transaction, held.spaceId)
    const active = buckets.find((bucket) => bucket.active)
    if (active?.id === bucketId) return
    // The previous bucket is deactivated first, so that two are never active at once.
    if (active !== undefined) await switchBucket(transaction, held, active.id, false)
    await switchBucket(transaction, held, bucketId, true)
    await recordSwitch(transaction, held, bucket, true)
  })
}

/**
 * Stops new uploads to the bucket. Its files stay.
 * @throws ApiError 404 for a bucket of another space
 */
export async function deactivateBucket(
  { database }: Deps,
  access: SpaceAccess,
  bucketId: string,
): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, ManageSpaceBuckets)
    const bucket = await accessBucket(transaction, held, bucketId)
    if (!(await switchBucket(transaction, held, bucketId, false))) return
    await recordSwitch(transaction, held, bucket, false)
  })
}

/**
 * Deletes the bucket. Images from its files are deleted immediately, message files later by a job.
 * @throws ApiError 404 for a bucket of another space
 */
export async function deleteBucket({ database }: Deps, access: SpaceAccess, bucketId: string): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, ManageSpaceBuckets)
    const bucket = await accessBucket(transaction, held, bucketId)
    // An upload that waits for this row's lock then finds the bucket deleted.
    await markBucketDeleted(transaction, bucket)
    await discardImages(transaction, held.snapshot.space, await listHeldImages(transaction, bucket))
    transaction.publish(storageChange(held.spaceId, { bucket_id: bucketId }))
    transaction.publish(bucketDeleted(held.spaceId, bucketId))
    await enqueueJob(transaction, 'discard_bucket', { space_id: held.spaceId, bucket_id: bucketId })
    await record(transaction, held, 'bucket_delete', { ...targetOf(bucket), before: bucket })
  })
}

async function switchBucket(
  transaction: Transaction,
  { spaceId }: HeldSpace,
  bucketId: string,
  active: boolean,
): Promise<boolean> {
  const changed = await setActive(transaction, { tenant_id: spaceId, id: bucketId }, active)
  if (changed !== undefined) transaction.publish(bucketUpdated(changed))
  return changed !== undefined
}

/** Records the switch in the audit log. A bucket that is deactivated in favor of this one gets no entry of its own. */
async function recordSwitch(
  transaction: Transaction,
  held: HeldSpace,
  bucket: BucketRow,
  active: boolean,
): Promise<void> {
  const change = { ...targetOf(bucket), before: { active: !active }, after: { active } }
  await record(transaction, held, 'bucket_update', change)
}
