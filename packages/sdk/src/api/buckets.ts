import type {
  BucketTrial,
  BucketUsage,
  CreateBucketBody,
  StorageBucket,
  UpdateBucketBody,
} from '@foyer/protocol/buckets'
import { type CallOptions, path, type Rest } from '../rest.ts'

/** Storage buckets of a space. For people with ManageSpaceBuckets. */
export class Buckets {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  list(spaceId: string, options?: CallOptions): Promise<StorageBucket[]> {
    return this.#rest.request({ ...options, method: 'GET', path: path`/api/spaces/${spaceId}/buckets` })
  }

  /** Adds a bucket after testing it. The first bucket of a space becomes its active one. */
  create(spaceId: string, body: CreateBucketBody, options?: CallOptions): Promise<StorageBucket> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/spaces/${spaceId}/buckets`,
      body,
    })
  }

  /** Adds the space's share of the server's own storage, or returns it if it was added before. */
  createIncluded(spaceId: string, options?: CallOptions): Promise<StorageBucket> {
    const where = path`/api/spaces/${spaceId}/buckets/included`
    return this.#rest.request({ ...options, method: 'POST', path: where, idempotent: true })
  }

  /** Tests a bucket without adding it; rejects with the problem. */
  testNew(spaceId: string, body: CreateBucketBody, options?: CallOptions): Promise<BucketTrial> {
    const where = path`/api/spaces/${spaceId}/buckets/test`
    return this.#rest.request({ ...options, method: 'POST', path: where, body, idempotent: true })
  }

  /** Tests a bucket with the given changes, without saving them. */
  test(
    spaceId: string,
    bucketId: string,
    body: UpdateBucketBody = {},
    options?: CallOptions,
  ): Promise<BucketTrial> {
    const where = `${bucketPath(spaceId, bucketId)}/test`
    return this.#rest.request({ ...options, method: 'POST', path: where, body, idempotent: true })
  }

  /** Omitted fields stay unchanged. The server tests the bucket before any change. */
  update(
    spaceId: string,
    bucketId: string,
    body: UpdateBucketBody,
    options?: CallOptions,
  ): Promise<StorageBucket> {
    return this.#rest.request({ ...options, method: 'PATCH', path: bucketPath(spaceId, bucketId), body })
  }

  /** Returns the size of the files that would be deleted with the bucket. */
  usage(spaceId: string, bucketId: string, options?: CallOptions): Promise<BucketUsage> {
    return this.#rest.request({ ...options, method: 'GET', path: `${bucketPath(spaceId, bucketId)}/usage` })
  }

  /** Deletes the bucket and all files stored in it. */
  delete(spaceId: string, bucketId: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: bucketPath(spaceId, bucketId) })
  }

  /** Makes this the bucket for new uploads, instead of the previous one. */
  activate(spaceId: string, bucketId: string, options?: CallOptions): Promise<void> {
    const where = `${bucketPath(spaceId, bucketId)}/activate`
    return this.#rest.request({ ...options, method: 'POST', path: where, idempotent: true })
  }

  /** Stops new uploads to the bucket. Its files stay accessible. */
  deactivate(spaceId: string, bucketId: string, options?: CallOptions): Promise<void> {
    const where = `${bucketPath(spaceId, bucketId)}/deactivate`
    return this.#rest.request({ ...options, method: 'POST', path: where, idempotent: true })
  }
}

function bucketPath(spaceId: string, bucketId: string): string {
  return path`/api/spaces/${spaceId}/buckets/${bucketId}`
}
