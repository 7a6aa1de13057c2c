import { Readable } from 'node:stream'
import { MAX_FORWARD_BYTES } from '@foyer/protocol/limits'
import { ApiError } from '#src/kernel/errors.ts'
import { type ObjectStore, StoreError, type StreamSource } from '#src/kernel/storage/object-store.ts'
import { allOrNone, keepOrDiscard, settleFile } from './actions.ts'
import { findBucket } from './queries.ts'
import { type FileTarget, type Reservation, reserveFile } from './reservation.ts'
import { type FileRow, keyOf } from './rows.ts'
import { asStoreAnswer } from './store-answers.ts'
import type { UploadDeps } from './uploads.ts'

export type CopyDeps = Omit<UploadDeps, 'media'>

/** Seconds for which storage is reserved: far longer than copying may take. */
const KEPT_SECONDS = 60 * 60
/** Limit for streaming one file from one storage to another. */
export const STREAM_TIMEOUT_MS = 300_000

/** A file and the store of its object. */
interface Original {
  file: FileRow
  store: ObjectStore
}

/**
 * Copies files for another owner: all or none. They were examined before, and the copies are still unused. Originals
 * that are no longer available are left out.
 * @returns the copies in the order of `files`
 * @throws ApiError 413 over MAX_FORWARD_BYTES in total or over the storage's limits, 503 if either storage does not
 * answer
 */
export async function copyFiles(
  deps: CopyDeps,
  target: FileTarget,
  files: readonly FileRow[],
): Promise<FileRow[]> {
  const originals = await findOriginals(deps, files)
  if (originals.length === 0) return []
  const sizeBytes = originals.reduce((sum, { file }) => sum + file.size_bytes, 0)
  if (sizeBytes > MAX_FORWARD_BYTES) throw new ApiError('upload_too_large')
  // The sender uploads nothing for a copy. Copying therefore counts against the limit of forms in progress.
  const place = deps.formSpace.enter(target.ownerId)
  try {
    return await copyAll(deps, target, originals)
  } finally {
    place.leave()
  }
}

async function findOriginals({ database, stores }: CopyDeps, files: readonly FileRow[]): Promise<Original[]> {
  const live = files.filter(({ state }) => state === 'live')
  const byBucket = Map.groupBy(live, ({ tenant_id, bucket_id }) => `${tenant_id}/${bucket_id}`)
  const storesOf = new Map<string, ObjectStore>()
  for (const [key, [first]] of byBucket) {
    const bucket = first && (await findBucket(database, first.tenant_id, first.bucket_id))
    // The files of a deleted bucket are marked deleted later, one by one. Until then they are live, but cannot be read.
    if (bucket?.deleted_at === null) storesOf.set(key, stores.of(bucket))
  }
  return live.flatMap((file) => {
    const store = storesOf.get(`${file.tenant_id}/${file.bucket_id}`)
    return store === undefined ? [] : [{ file, store }]
  })
}

async function copyAll(
  deps: CopyDeps,
  target: FileTarget,
  originals: readonly Original[],
): Promise<FileRow[]> {
  const copies = await deps.database.transaction(async (transaction) => {
    const reserved: { original: Original; reservation: Reservation }[] = []
    for (const original of originals) {
      const { filename, description, content_type: contentType, size_bytes: sizeBytes } = original.file
      const kept = { keptSeconds: KEPT_SECONDS, incomingSeconds: null }
      const announced = { filename, description, contentType, sizeBytes, ...kept }
      const reservation = await reserveFile(transaction, target, announced, deps.ownLimits)
      reserved.push({ original, reservation })
    }
    return reserved
  })
  return allOrNone(
    deps,
    copies.map(({ original, reservation }) => copyOrGiveUp(deps, original, reservation)),
  )
}

/** Returns undefined if the original object no longer exists. */
async function copyOrGiveUp(
  deps: CopyDeps,
  original: Original,
  reservation: Reservation,
): Promise<FileRow | undefined> {
  try {
    return await keepOrDiscard(deps, [reservation.file], () => copyFile(deps, original, reservation))
  } catch (error) {
    if (error instanceof StoreError && error.fault === 'missing') return undefined
    return asStoreAnswer(Promise.reject(error))
  }
}

async function copyFile(deps: CopyDeps, original: Original, reservation: Reservation): Promise<FileRow> {
  const { file } = original
  const store = deps.stores.of(reservation.bucket)
  const key = keyOf(reservation.file)
  if (store === original.store) await store.copy(keyOf(file), key)
  else await store.putStream(key, sourceOf(original, deps.fetchTimeoutMs))
  const { filename, content_type: contentType, size_bytes: sizeBytes, width, height, animated } = file
  return settleFile(deps, reservation, { filename, contentType, sizeBytes, width, height, animated })
}

/** Reads the file as a range, so that a storage cannot send more than its size. */
function sourceOf({ file, store }: Original, timeoutMs = STREAM_TIMEOUT_MS): StreamSource {
  const { size_bytes: sizeBytes, content_type: contentType } = file
  return {
    sizeBytes,
    contentType,
    async open() {
      if (sizeBytes === 0) return Readable.from([])
      const body = await store.read(keyOf(file), { start: 0, end: sizeBytes - 1 })
      const slow = new StoreError('unreachable', 'the storage takes too long')
      const deadline = setTimeout(() => body.destroy(slow), timeoutMs)
      return body.once('close', () => clearTimeout(deadline))
    },
  }
}
