import { type CreateBucketBody, type StorageBucket, UpdateBucketBody } from '@foyer/protocol/buckets'
import { MAX_BUCKETS } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import type { BucketRow } from '#src/files/objects/rows.ts'
import { storageChange } from '#src/files/objects/storage-change.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { type HeldSpace, holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { accessBucket } from '../access.ts'
import { bucketCreated, bucketUpdated, targetOf } from '../bucket-events.ts'
import { probeBucket } from '../probe.ts'
import {
  type BucketSettings,
  insertBucket,
  isReserved,
  listBuckets,
  listSamples,
  lockBucket,
  type Sample,
  saveBucket,
} from '../queries.ts'
import { changedBucket, invalidStorage, isSameConnection, isSameLocation } from '../settings.ts'
import { type TrialDeps, tryNewBucket } from '../trials.ts'

export interface BucketDeps extends TrialDeps {
  config: { includedStorageBytes: number; uploadLimitBytes: number }
}

const { ManageSpaceBuckets } = Permission

/**
 * Adds a space's own bucket. Tests it first, outside of any transaction.
 * @param origin of the page from which people upload
 * @throws ApiError 400 if the settings do not work, and at the limit of buckets per space
 */
export async function createBucket(
  deps: BucketDeps,
  access: SpaceAccess,
  body: CreateBucketBody,
  origin: string,
): Promise<StorageBucket> {
  const bucket = await tryNewBucket(deps, access, body, origin)
  return deps.database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, ManageSpaceBuckets)
    const others = await listBuckets(transaction, access.spaceId)
    return addBucket(transaction, held, others, { ...bucket, kind: 's3' })
  })
}

/**
 * Adds the space's share of the server's own storage, unless it was added before.
 * @throws ApiError 403 if the operator includes none, 400 at the limit of buckets per space
 */
export async function createIncludedBucket(
  { database, config }: BucketDeps,
  access: SpaceAccess,
): Promise<StorageBucket> {
  if (config.includedStorageBytes === 0) throw new ApiError('included_off')
  const place = { tenant_id: access.spaceId, id: newId() }
  const share = { max_bytes: config.includedStorageBytes, upload_limit_bytes: config.uploadLimitBytes }
  return database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, ManageSpaceBuckets)
    const others = await listBuckets(transaction, access.spaceId)
    const known = others.find(({ included }) => included)
    return (
      known ?? addBucket(transaction, held, others, { ...INCLUDED, ...place, ...share, kind: 'included' })
    )
  })
}

/**
 * Changes the given fields. Tests the bucket first. If its address changes, existing files must be found there.
 * @throws ApiError 400 for settings that do not work and fields that cannot change, 404 for a bucket of another space
 */
export async function updateBucket(
  deps: BucketDeps,
  access: SpaceAccess,
  change: { bucketId: string; body: UpdateBucketBody; origin: string },
): Promise<StorageBucket> {
  const { bucketId, body, origin } = change
  const before = await accessBucket(deps.database, access, bucketId)
  if (before.kind === 'included') checkIncludedChange(body)
  const after = changedBucket(deps.sealer, before, body)
  const samples = await listMovedFiles(deps.database, before, after)
  const directUpload =
    before.kind === 'included' || (await probeBucket(deps, { bucket: after, origin, samples }))
  const saved = await deps.database.transactionIn(access.spaceId, async (transaction) => {
    const space = await holdSpace(transaction, access, ManageSpaceBuckets)
    await lockBucket(transaction, before)
    const now = await accessBucket(transaction, access, bucketId)
    const held = await listMovedFiles(transaction, now, after)
    // If the location stays the same, files added during the test need no test. On a busy bucket, testing them might never end.
    const isFound = isSameLocation(now, after) || isSame(samples, held)
    const isTried = isSameConnection(before, now) && isFound
    if (!isTried) return undefined
    const changed = { ...changedBucket(deps.sealer, now, body), direct_upload: directUpload }
    return saveChange(transaction, space, now, changed)
  })
  // The bucket changed during the test, or got files that did not move. The test starts over.
  return saved ?? updateBucket(deps, access, change)
}

/** Settings of the server's own storage that a space cannot choose. */
const INCLUDED = {
  name: 'Included storage',
  endpoint: '',
  region: null,
  bucket_name: '',
  access_key_id: '',
  secret: null,
  use_path_style: false,
  direct_upload: true,
}

/** Adds a bucket, active if it is the first. Runs under the space's lock, which orders simultaneous additions. */
async function addBucket(
  transaction: Transaction,
  held: HeldSpace,
  others: readonly StorageBucket[],
  bucket: BucketSettings & Pick<BucketRow, 'kind'>,
): Promise<StorageBucket> {
  if (others.length >= MAX_BUCKETS) throw new ApiError('too_many_buckets')
  const added = await insertBucket(transaction, bucket, { kind: bucket.kind, active: others.length === 0 })
  transaction.publish(bucketCreated(added))
  await record(transaction, held, 'bucket_create', { ...targetOf(added), after: added })
  return added
}

function checkIncludedChange(body: UpdateBucketBody): void {
  const fixed = Object.keys(UpdateBucketBody.properties).filter((field) => field !== 'name')
  if (fixed.some((field) => Reflect.get(body, field) !== undefined)) throw new ApiError('included_is_fixed')
}

/**
 * Returns files that must be found after the bucket's location changes: the space moves them beforehand.
 * @throws ApiError 400 during an upload, which would be lost at the old location
 */
async function listMovedFiles(database: Queryable, from: BucketRow, to: BucketRow): Promise<Sample[]> {
  if (isSameConnection(from, to)) return []
  if (!isSameLocation(from, to) && (await isReserved(database, from)))
    throw invalidStorage(
      'uploads to the bucket are under way, so its location cannot change: ' +
        'deactivate it, and try again when they have ended',
    )
  return listSamples(database, from)
}

function isSame(some: readonly Sample[], others: readonly Sample[]): boolean {
  return some.length === others.length && some.every(({ id }, index) => id === others[index]?.id)
}

async function saveChange(
  transaction: Transaction,
  held: HeldSpace,
  before: BucketRow,
  after: BucketRow,
): Promise<StorageBucket> {
  const saved = await saveBucket(transaction, after)
  if (saved === undefined) return shownBucket(transaction, before)
  if (!isSameConnection(before, after))
    transaction.publish(storageChange(before.tenant_id, { bucket_id: before.id }))
  transaction.publish(bucketUpdated(saved))
  await record(transaction, held, 'bucket_update', { ...targetOf(saved), before, after })
  return saved
}

async function shownBucket(
  database: Queryable,
  { tenant_id, id }: Pick<BucketRow, 'tenant_id' | 'id'>,
): Promise<StorageBucket> {
  const buckets = await listBuckets(database, tenant_id)
  const shown = buckets.find((bucket) => bucket.id === id)
  if (shown === undefined) throw new ApiError('unknown_bucket')
  return shown
}
