import type { CreateBucketBody } from '@foyer/protocol/buckets'
import type { FakeS3 } from '../object-storage/fake-s3.ts'

/** Returns valid settings for the bucket of the S3 server. */
export function bucketBody(s3: FakeS3, changes: Partial<CreateBucketBody> = {}): CreateBucketBody {
  const { endpoint, region, bucketName, accessKeyId, secretAccessKey, usePathStyle } = s3.settings()
  return {
    name: 'Ours',
    endpoint,
    region,
    bucket_name: bucketName,
    access_key_id: accessKeyId,
    secret_access_key: secretAccessKey,
    use_path_style: usePathStyle,
    ...changes,
  }
}
