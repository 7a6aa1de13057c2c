import type { CreateBucketBody, UpdateBucketBody } from '@foyer/protocol/buckets'
import type { Database } from '#src/kernel/database.ts'
import { newId } from '#src/kernel/ids.ts'
import type { Sealer } from '#src/kernel/sealing.ts'
import type { SpaceAccess } from '#src/spaces/access.ts'
import { accessBucket } from './access.ts'
import { type ProbeDeps, probeBucket } from './probe.ts'
import { type BucketSettings, listSamples } from './queries.ts'
import { changedBucket, newBucket } from './settings.ts'

export interface TrialDeps extends ProbeDeps {
  database: Database
  sealer: Sealer
}

/**
 * Tries a bucket that the space might bring, and keeps nothing.
 * @param origin of the page from which people upload
 * @returns the bucket as it could be kept
 * @throws ApiError 400 for one that does not work with these settings
 */
export async function tryNewBucket(
  deps: TrialDeps,
  { spaceId }: SpaceAccess,
  body: CreateBucketBody,
  origin: string,
): Promise<BucketSettings> {
  const bucket = newBucket(deps.sealer, { tenant_id: spaceId, id: newId() }, body)
  return { ...bucket, direct_upload: await probeBucket(deps, { bucket, origin, samples: [] }) }
}

/**
 * Tries a bucket as it would be with the fields that are given, and whether it has the space's files.
 * @returns whether browsers can upload to it themselves
 * @throws ApiError 400 for settings that do not work, 404 for one that is not of this space
 */
export async function tryBucket(
  deps: TrialDeps,
  access: SpaceAccess,
  { bucketId, body, origin }: { bucketId: string; body: UpdateBucketBody; origin: string },
): Promise<boolean> {
  const bucket = await accessBucket(deps.database, access, bucketId)
  // The server's own storage is nothing that a space could set wrongly.
  if (bucket.kind === 'included') return true
  const samples = await listSamples(deps.database, bucket)
  return probeBucket(deps, { bucket: changedBucket(deps.sealer, bucket, body), origin, samples })
}
