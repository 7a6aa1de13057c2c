import type { CreateBucketBody, UpdateBucketBody } from '@foyer/protocol/buckets'
import type { Database } from '#src/kernel/database/database.ts'
import { newId } from '#src/kernel/ids.ts'
import type { Sealer } from '#src/kernel/secrets/sealing.ts'
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
 * Tests a bucket before it is added. Saves nothing.
 * @param origin of the page from which people upload
 * @returns the bucket in its stored form
 * @throws ApiError 400 if the settings do not work
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
 * Tests a bucket with the given changes, including that it contains the space's files.
 * @returns true if browsers can upload to it directly
 * @throws ApiError 400 if the settings do not work, 404 for a bucket of another space
 */
export async function tryBucket(
  deps: TrialDeps,
  access: SpaceAccess,
  { bucketId, body, origin }: { bucketId: string; body: UpdateBucketBody; origin: string },
): Promise<boolean> {
  const bucket = await accessBucket(deps.database, access, bucketId)
  // A space cannot misconfigure the server's own storage.
  if (bucket.kind === 'included') return true
  const samples = await listSamples(deps.database, bucket)
  return probeBucket(deps, { bucket: changedBucket(deps.sealer, bucket, body), origin, samples })
}
