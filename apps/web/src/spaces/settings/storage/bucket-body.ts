import type { CreateBucketBody, StorageBucket, UpdateBucketBody } from '@foyer/protocol/buckets'

/** What the form has for a bucket; the secret is empty where the known one stays. */
export type BucketSettings = Required<CreateBucketBody>

/** Only what differs: what was not touched need not be right any more, and the connection is tried when it changes. */
export function bucketChange(bucket: StorageBucket, settings: BucketSettings): UpdateBucketBody {
  const { secret_access_key, ...known } = settings
  const changed = Object.entries(known).filter(([field, value]) => Reflect.get(bucket, field) !== value)
  const secret = secret_access_key === '' ? {} : { secret_access_key }
  return { ...Object.fromEntries(changed), ...secret }
}
