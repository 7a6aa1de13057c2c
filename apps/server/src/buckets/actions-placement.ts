import { Permission } from '@foyer/protocol/permissions'
import { storageChange } from '#src/files/storage-change.ts'
import type { Database, Transaction } from '#src/kernel/database.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { type HeldSpace, holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { accessBucket } from './access.ts'
import { discardImages } from './actions-discard.ts'
import { bucketDeleted, bucketUpdated } from './bucket-events.ts'
import { listBuckets, listHeldImages, markBucketDeleted, setActive } from './queries.ts'

interface Deps {
  database: Database
}

const { ManageSpaceBuckets } = Permission

/**
 * New uploads go to the bucket, and no longer to another.
 * @throws ApiError 404 for one that is not of this space
 */
export async function activateBucket(
  { database }: Deps,
  access: SpaceAccess,
  bucketId: string,
): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, ManageSpaceBuckets)
    await accessBucket(transaction, held, bucketId)
    const buckets = await listBuckets(transaction, held.spaceId)
    const active = buckets.find((bucket) => bucket.active)
    if (active?.id === bucketId) return
    // One after the other: at no time are two of them active.
    if (active !== undefined) await switchBucket(transaction, held, active.id, false)
    await switchBucket(transaction, held, bucketId, true)
  })
}

/**
 * New uploads no longer go to the bucket; its files stay where they are.
 * @throws ApiError 404 for one that is not of this space
 */
export async function deactivateBucket(
  { database }: Deps,
  access: SpaceAccess,
  bucketId: string,
): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, ManageSpaceBuckets)
    await accessBucket(transaction, held, bucketId)
    await switchBucket(transaction, held, bucketId, false)
  })
}

/**
 * The space has the bucket no more. What still shows its files is ended: pictures at once, message files by and by.
 * @throws ApiError 404 for one that is not of this space
 */
export async function deleteBucket({ database }: Deps, access: SpaceAccess, bucketId: string): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, ManageSpaceBuckets)
    const bucket = await accessBucket(transaction, held, bucketId)
    // From here on nothing is added to it: whoever keeps room for an upload waits for this row, and finds it deleted.
    await markBucketDeleted(transaction, bucket)
    await discardImages(transaction, held.snapshot.space, await listHeldImages(transaction, bucket))
    transaction.publish(storageChange(held.spaceId, { bucket_id: bucketId }))
    transaction.publish(bucketDeleted(held.spaceId, bucketId))
    await enqueueJob(transaction, 'discard_bucket', { space_id: held.spaceId, bucket_id: bucketId })
  })
}

async function switchBucket(
  transaction: Transaction,
  { spaceId }: HeldSpace,
  bucketId: string,
  active: boolean,
): Promise<void> {
  const changed = await setActive(transaction, { tenant_id: spaceId, id: bucketId }, active)
  if (changed !== undefined) transaction.publish(bucketUpdated(changed))
}
