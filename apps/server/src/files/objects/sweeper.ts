import { UNCLAIMED_UPLOAD_SECONDS } from '@foyer/protocol/limits'
import type { Logger } from 'pino'
import { eachOf } from '#src/kernel/at-once.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { FolderStore } from '#src/kernel/storage/folder-store.ts'
import type { ObjectStore } from '#src/kernel/storage/object-store.ts'
import { discardFiles } from './actions.ts'
import { lockUnshown, markSending } from './ledger.ts'
import { findBucket } from './queries.ts'
import { incomingKeyOf, keyOf, UNSENT_UPLOAD_SECONDS } from './rows.ts'
import type { Stores } from './stores.ts'
import {
  type BucketFiles,
  deleteEmptyBuckets,
  findExpired,
  forgetUnshown,
  markIncomingEmpty,
  markRemoved,
  type Portion,
  putOffIncoming,
  putOffRemnants,
  type Remnant,
  takeIncoming,
  takeRemnants,
  takeUnsent,
  type UnsentUpload,
} from './sweep-queries.ts'

export interface SweepDeps {
  database: Database
  stores: Stores
  log: Logger
  objectTimeoutMs?: number
}

const PORTION: Portion = { passed: 2000, perBucket: 50 }
const MAX_EXPIRED = 500
const MAX_FORGOTTEN = 1000
const MAX_PUT_OFF = 10_000
const BUCKETS_AT_ONCE = 8
/** Bytes per second. A slower upload loses its reservation: 1 GiB may take two and a quarter hours. */
const SLOWEST_BYTES_PER_SECOND = 128 * 1024
/** Limit for one request to a storage, which is tried again later. */
const OBJECT_TIMEOUT_MS = 10_000
/** Time limit for one bucket per run. Checked before each object, so the last one may exceed it. */
const BUCKET_MS = 15_000

/** A kind of object to delete: how to take some, their keys, and how to record the result. */
interface Chore {
  take: (database: Database, portion: Portion) => Promise<Remnant[]>
  keyOf: (remnant: Remnant) => string
  done: (database: Database, tenantId: string, ids: readonly string[]) => Promise<void>
  putOff: (database: Database, files: BucketFiles, limit: number) => Promise<void>
}

const chores: readonly Chore[] = [
  { take: takeRemnants, keyOf, done: markRemoved, putOff: putOffRemnants },
  { take: takeIncoming, keyOf: incomingKeyOf, done: markIncomingEmpty, putOff: putOffIncoming },
]

/**
 * Sweeps once: expired reservations, unused objects, incoming keys whose addresses have expired, empty buckets.
 * @param signal aborts early; unfinished work is taken again later
 * @returns true if more work may be left
 */
export async function sweepFiles(deps: SweepDeps, signal: AbortSignal): Promise<boolean> {
  const expired = await expireFiles(deps)
  await releaseUnsent(deps, signal)
  await forgetUnshown(deps.database, MAX_FORGOTTEN)
  let isMore = expired === MAX_EXPIRED
  for (const chore of chores) {
    const remnants = await chore.take(deps.database, PORTION)
    const byBucket = [...Map.groupBy(remnants, (remnant) => remnant.bucket_id).values()]
    isMore ||= byBucket.some(({ length }) => length === PORTION.perBucket)
    await eachOf(byBucket, BUCKETS_AT_ONCE, (ofBucket) => emptyBucket(deps, chore, ofBucket, signal))
  }
  await deleteEmptyBuckets(deps.database)
  return isMore && !signal.aborted
}

/** Ends reservations of uploads that never arrived, much earlier than their expiry after a day. */
async function releaseUnsent(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const unsent = await takeUnsent(deps.database, PORTION)
  const byBucket = [...Map.groupBy(unsent, (upload) => upload.bucket_id).values()]
  await eachOf(byBucket, BUCKETS_AT_ONCE, async (ofBucket) => {
    try {
      await releaseOf(deps, ofBucket, limitsOf(deps, signal))
    } catch (error) {
      // The look-up is tried again in five minutes. The reservation ends after a day in any case.
      deps.log.warn(
        { err: error, bucket: ofBucket[0]?.bucket_id },
        'uploads to a bucket could not be looked up',
      )
    }
  })
}

async function releaseOf(
  deps: SweepDeps,
  uploads: readonly UnsentUpload[],
  nextLimit: () => AbortSignal,
): Promise<void> {
  const { database } = deps
  const [first] = uploads
  const store = first && (await storeOf(deps, { tenantId: first.tenant_id, bucketId: first.bucket_id }))
  const deadline = Date.now() + BUCKET_MS
  for (const upload of uploads) {
    if (Date.now() > deadline) return
    const keptSeconds = await within(keptSecondsOf(store, upload), nextLimit())
    if (upload.age_seconds < keptSeconds) await markSending(database, upload, keptSeconds)
    else await expireAll(database, upload.tenant_id, [upload.id])
  }
}

/**
 * Returns the age in seconds up to which the reservation is kept. The server extends the reservations of uploads that it
 * relays itself; an upload to a bucket becomes visible only when it is complete.
 */
async function keptSecondsOf(store: ObjectStore | undefined, upload: UnsentUpload): Promise<number> {
  // In this order, because a message that takes the upload moves it from the first key to the second.
  const sizeBytes = (await store?.sizeOf(incomingKeyOf(upload))) ?? (await store?.sizeOf(keyOf(upload)))
  if (sizeBytes !== undefined) return UNCLAIMED_UPLOAD_SECONDS
  if (store === undefined || store instanceof FolderStore) return 0
  const slowest = UNSENT_UPLOAD_SECONDS + Math.ceil(upload.size_bytes / SLOWEST_BYTES_PER_SECOND)
  return Math.min(slowest, UNCLAIMED_UPLOAD_SECONDS)
}

/** Discards files whose reservation has expired. @returns the number of expired files found */
async function expireFiles({ database }: SweepDeps): Promise<number> {
  const expired = await findExpired(database, MAX_EXPIRED)
  for (const [tenantId, files] of Map.groupBy(expired, (file) => file.tenant_id)) {
    const ids = files.map(({ id }) => id)
    await expireAll(database, tenantId, ids)
  }
  return expired.length
}

async function expireAll(database: Database, tenantId: string, ids: readonly string[]): Promise<void> {
  await database.transaction(async (transaction) => {
    // Keeps files that a message or setting has used since they were listed.
    await discardFiles(transaction, tenantId, await lockUnshown(transaction, tenantId, ids))
  })
}

/** Deletes one object after another. The first failure postpones everything in this bucket. */
async function emptyBucket(
  deps: SweepDeps,
  chore: Chore,
  remnants: readonly Remnant[],
  signal: AbortSignal,
): Promise<void> {
  const [first] = remnants
  if (first === undefined) return
  const files = { tenantId: first.tenant_id, bucketId: first.bucket_id }
  const deleted: string[] = []
  try {
    const store = await storeOf(deps, files)
    await deleteEach(store, { chore, remnants, deleted }, limitsOf(deps, signal))
  } catch (error) {
    if (!signal.aborted) await putOff(deps, chore, files, error)
  }
  await chore.done(deps.database, files.tenantId, deleted)
}

async function putOff(deps: SweepDeps, chore: Chore, files: BucketFiles, reason: unknown): Promise<void> {
  deps.log.warn({ err: reason, bucket: files.bucketId }, 'objects of a bucket could not be deleted')
  await chore.putOff(deps.database, files, MAX_PUT_OFF)
}

/** Returns undefined if the bucket's row was deleted, which means that no object is left. */
async function storeOf(
  { database, stores }: SweepDeps,
  { tenantId, bucketId }: BucketFiles,
): Promise<ObjectStore | undefined> {
  const bucket = await findBucket(database, tenantId, bucketId)
  return bucket && stores.of(bucket)
}

interface Deletion {
  chore: Chore
  remnants: readonly Remnant[]
  /** Filled with the ids of deleted objects. */
  deleted: string[]
}

async function deleteEach(
  store: ObjectStore | undefined,
  { chore, remnants, deleted }: Deletion,
  nextLimit: () => AbortSignal,
): Promise<void> {
  const deadline = Date.now() + BUCKET_MS
  for (const remnant of remnants) {
    if (Date.now() > deadline) return
    await within(store?.delete(chore.keyOf(remnant)), nextLimit())
    deleted.push(remnant.id)
  }
}

function limitsOf(
  { objectTimeoutMs = OBJECT_TIMEOUT_MS }: SweepDeps,
  signal: AbortSignal,
): () => AbortSignal {
  return () => AbortSignal.any([signal, AbortSignal.timeout(objectTimeoutMs)])
}

async function within<T>(work: T | Promise<T>, limit: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  limit.addEventListener('abort', () => reject(limit.reason), { once: true })
  if (limit.aborted) reject(limit.reason)
  return Promise.race([work, promise])
}
