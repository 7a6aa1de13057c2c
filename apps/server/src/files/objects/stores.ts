import { LRUCache } from 'lru-cache'
import type { S3Settings } from '#src/config.ts'
import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import type { Sealer } from '#src/kernel/secrets/sealing.ts'
import type { ObjectStore, PresignedUpload } from '#src/kernel/storage/object-store.ts'
import { S3Store } from '#src/kernel/storage/s3-store.ts'
import { expiryIn, type StorageUrlSigner } from '#src/kernel/storage/url-signer.ts'
import type { BucketRow } from './rows.ts'

/** The region that S3 clients use by default. */
const DEFAULT_REGION = 'us-east-1'
const OPEN_STORES = 1000

/** The columns needed to reach a bucket. */
export type Connection = Pick<
  BucketRow,
  'id' | 'endpoint' | 'region' | 'bucket_name' | 'access_key_id' | 'secret' | 'use_path_style'
>

/** The stores of files: the server's own, and those of spaces' buckets, reached through the request guard. */
export class Stores {
  readonly own: ObjectStore
  readonly #relayUrls: StorageUrlSigner
  readonly #outgoing: Outgoing
  readonly #sealer: Sealer
  readonly #opened = new LRUCache<string, S3Store>({ max: OPEN_STORES })

  constructor(deps: {
    own: ObjectStore
    outgoing: Outgoing
    sealer: Sealer
    relayUrls: StorageUrlSigner
  }) {
    this.own = deps.own
    this.#relayUrls = deps.relayUrls
    this.#outgoing = deps.outgoing
    this.#sealer = deps.sealer
  }

  of(bucket: BucketRow): ObjectStore {
    if (bucket.kind !== 's3') return this.own
    const key = JSON.stringify([bucket.id, bucket.updated_at, bucket.secret?.toString('base64')])
    const known = this.#opened.get(key)
    if (known !== undefined) return known
    const store = this.open(this.settingsOf(bucket))
    this.#opened.set(key, store)
    return store
  }

  /** Presigns a direct upload, or a relayed one for buckets that browsers cannot reach. */
  async presignUpload(
    bucket: BucketRow,
    object: { key: string; sizeBytes: number; contentType: string },
    seconds: number,
  ): Promise<PresignedUpload> {
    if (bucket.direct_upload) return this.of(bucket).presignUpload(object.key, object, seconds)
    const url = this.#relayUrls.sign({ method: 'PUT', ...object, expires: expiryIn(seconds) })
    return { url, method: 'PUT', headers: { 'content-type': object.contentType } }
  }

  /** Returns the bucket's address and decrypted credentials, for requests to the bucket only. */
  settingsOf(bucket: Connection): S3Settings {
    return {
      endpoint: bucket.endpoint,
      region: bucket.region || DEFAULT_REGION,
      bucketName: bucket.bucket_name,
      accessKeyId: bucket.access_key_id,
      secretAccessKey: bucket.secret === null ? '' : this.#sealer.open(bucket.secret, bucket.id),
      usePathStyle: bucket.use_path_style,
    }
  }

  open(settings: S3Settings): S3Store {
    return new S3Store(settings, this.#outgoing)
  }
}
