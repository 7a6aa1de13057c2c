import type { CreateBucketBody, StorageBucket, UpdateBucketBody } from '@foyer/protocol/buckets'

/** Form values of a bucket. An empty secret keeps the stored one. */
export type BucketSettings = Required<CreateBucketBody>

/** Returns only the changed fields, because unchanged fields may have become invalid since they were saved. */
export function bucketChange(bucket: StorageBucket, settings: BucketSettings): UpdateBucketBody {
  const { secret_access_key, ...known } = settings
  const changed = Object.entries(known).filter(([field, value]) => Reflect.get(bucket, field) !== value)
  const secret = secret_access_key === '' ? {} : { secret_access_key }
  return { ...Object.fromEntries(changed), ...secret }
}
