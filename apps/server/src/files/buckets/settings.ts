import type { CreateBucketBody, UpdateBucketBody } from '@foyer/protocol/buckets'
import { ApiError } from '#src/kernel/errors.ts'
import type { Sealer } from '#src/kernel/secrets/sealing.ts'
import type { BucketSettings } from './queries.ts'

/** Returns the error. Its message begins with the words that the specification requires. */
export function invalidStorage(problem: string): ApiError {
  return new ApiError('invalid_storage', `invalid storage configuration: ${problem}`)
}

/** @throws ApiError 400 for settings that no bucket can work with */
export function newBucket(
  sealer: Sealer,
  place: Pick<BucketSettings, 'tenant_id' | 'id'>,
  body: CreateBucketBody,
): BucketSettings {
  checkSettings(body)
  return {
    ...place,
    name: body.name,
    endpoint: body.endpoint,
    region: body.region || null,
    bucket_name: body.bucket_name,
    access_key_id: body.access_key_id,
    secret: sealer.seal(body.secret_access_key, place.id),
    use_path_style: body.use_path_style ?? false,
    max_bytes: body.max_bytes ?? null,
    upload_limit_bytes: body.upload_limit_bytes ?? null,
    // False until the bucket is tested.
    direct_upload: false,
  }
}

/**
 * Returns the bucket with the given fields changed.
 * @throws ApiError 400 for settings that no bucket can work with
 */
export function changedBucket<Row extends BucketSettings>(
  sealer: Sealer,
  bucket: Row,
  body: UpdateBucketBody,
): Row {
  checkSettings(body)
  const { secret_access_key: secret, region, max_bytes, upload_limit_bytes } = body
  return {
    ...bucket,
    name: body.name ?? bucket.name,
    endpoint: body.endpoint ?? bucket.endpoint,
    region: region === undefined ? bucket.region : region || null,
    bucket_name: body.bucket_name ?? bucket.bucket_name,
    access_key_id: body.access_key_id ?? bucket.access_key_id,
    secret: secret === undefined ? bucket.secret : sealer.seal(secret, bucket.id),
    use_path_style: body.use_path_style ?? bucket.use_path_style,
    max_bytes: max_bytes === undefined ? bucket.max_bytes : max_bytes,
    upload_limit_bytes: upload_limit_bytes === undefined ? bucket.upload_limit_bytes : upload_limit_bytes,
  }
}

/**
 * Returns true if both settings reach the same bucket in the same way. A secret that was entered again counts as
 * different.
 */
export function isSameConnection(one: BucketSettings, other: BucketSettings): boolean {
  return (
    isSameLocation(one, other) &&
    one.region === other.region &&
    one.access_key_id === other.access_key_id &&
    one.use_path_style === other.use_path_style &&
    Buffer.compare(one.secret ?? Buffer.alloc(0), other.secret ?? Buffer.alloc(0)) === 0
  )
}

/** Returns true if both keep their objects at the same location. */
export function isSameLocation(one: BucketSettings, other: BucketSettings): boolean {
  return one.endpoint === other.endpoint && one.bucket_name === other.bucket_name
}

function checkSettings(body: UpdateBucketBody): void {
  for (const field of ['max_bytes', 'upload_limit_bytes'] as const) {
    const value: unknown = body[field]
    const isLimit =
      value === undefined || value === null || (Number.isSafeInteger(value) && Number(value) > 0)
    if (!isLimit) throw invalidStorage(`${field} must be a positive integer, or null for no limit`)
  }
  if (body.endpoint !== undefined) checkEndpoint(body.endpoint)
}

function checkEndpoint(endpoint: string): void {
  const url = URL.parse(endpoint)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw invalidStorage('endpoint must be a URL that begins with https:// or http://')
  // Credentials in the URL would be shown to everyone who may see the bucket, and appear in every signed address.
  if (url.username !== '' || url.password !== '')
    throw invalidStorage('endpoint must not contain a user name or password')
  if (url.search !== '' || url.hash !== '')
    throw invalidStorage('endpoint must not contain a query or a fragment')
}
