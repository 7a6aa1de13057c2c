import type { BucketRow } from '#src/files/objects/rows.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { SpaceAccess } from '#src/spaces/access.ts'
import { findSpaceBucket } from './queries.ts'

/** @throws ApiError 404 for a bucket of another space, or a deleted one */
export async function accessBucket(
  database: Queryable,
  { spaceId }: SpaceAccess,
  bucketId: string,
): Promise<BucketRow> {
  const bucket = await findSpaceBucket(database, spaceId, bucketId)
  if (bucket === undefined) throw new ApiError('unknown_bucket')
  return bucket
}
