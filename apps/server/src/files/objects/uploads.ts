import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { CreateUploadBody, Upload } from '@foyer/protocol/attachments'
import {
  MAX_PENDING_UPLOADS,
  MAX_UPLOAD_BYTES,
  MIN_PENDING_SHARE_BYTES,
  PENDING_SHARE,
  PRESIGNED_URL_SECONDS,
  UNCLAIMED_UPLOAD_SECONDS,
} from '@foyer/protocol/limits'
import { ApiError } from '#src/kernel/errors.ts'
import type { FormSpace } from '#src/kernel/http/bodies/form-space.ts'
import { writing } from '#src/kernel/storage/file-faults.ts'
import { type ObjectStore, StoreError } from '#src/kernel/storage/object-store.ts'
import { type FileDeps, putExamined, settleFile } from './actions.ts'
import { storedDescription } from './descriptions.ts'
import { IMAGE_START_BYTES, isImageStart } from './image-start.ts'
import { markCancelled, measurePending } from './ledger.ts'
import { findBucket, findFiles } from './queries.ts'
import { MAX_RELAYED_BYTES } from './relay.ts'
import { type FileTarget, type Reservation, reserveFile } from './reservation.ts'
import { type BucketRow, type FileRow, incomingKeyOf, keyOf, UNSENT_UPLOAD_SECONDS } from './rows.ts'
import { asStoreAnswer } from './store-answers.ts'

export interface UploadDeps extends FileDeps {
  /** Disk space shared with forms, for images while they are cleaned. */
  formSpace: FormSpace
  fetchTimeoutMs?: number
}

/** The sender of an upload, and its channel. */
export interface Sender {
  tenantId: string
  channelId: string
  ownerId: string
}

const SHARE_TAKEN =
  'your uploads that are not in a message yet use up your share of the storage; send or cancel them first'
/**
 * Largest image that is cleaned: cleaning needs the whole file on the server. A larger one is not shown as an image.
 */
const MAX_CLEANED_BYTES = 64 * 1024 * 1024
/** Time limit for fetching an image to clean it: as long as a form may take to arrive. */
const FETCH_TIMEOUT_MS = 300_000

/**
 * Reserves space for a file and returns the request with which its sender uploads it directly.
 * @throws ApiError 413 over the limits of the storage or the user's share of it, 400 with too many unused uploads
 */
export async function reserveUpload(
  deps: FileDeps,
  target: FileTarget,
  body: CreateUploadBody,
): Promise<Upload> {
  const contentType = bareType(body.content_type)
  const announced = {
    filename: body.filename,
    description: storedDescription(body.description),
    contentType,
    sizeBytes: body.size_bytes,
    keptSeconds: UNSENT_UPLOAD_SECONDS,
    incomingSeconds: UNSENT_UPLOAD_SECONDS,
  }
  if (body.size_bytes > MAX_UPLOAD_BYTES) throw new ApiError('upload_too_large')
  const expiresAt = new Date(Date.now() + UNCLAIMED_UPLOAD_SECONDS * 1000)
  const { file, bucket } = await deps.database.transaction(async (transaction) => {
    const reservation = await reserveFile(transaction, target, announced, deps.ownLimits)
    // Counted under the lock of the bucket's row, so that simultaneous uploads see each other.
    const pending = await measurePending(transaction, target, reservation.bucket.id)
    if (!isRelayable(reservation.bucket, body.size_bytes)) throw new ApiError('upload_too_large')
    if (pending.count > MAX_PENDING_UPLOADS) throw new ApiError('too_many_uploads')
    if (pending.bucketBytes > shareOf(reservation.bucket, pending.bucketBytes))
      throw new ApiError('storage_full', SHARE_TAKEN)
    return reservation
  })
  const object = { key: incomingKeyOf(file), sizeBytes: body.size_bytes, contentType }
  const upload = await deps.stores.presignUpload(bucket, object, PRESIGNED_URL_SECONDS)
  return { attachment_id: file.id, upload, expires_at: expiresAt.toISOString() }
}

/** Returns false if the server would have to relay the file, and it is too large for that. */
function isRelayable({ direct_upload }: BucketRow, sizeBytes: number): boolean {
  return direct_upload || sizeBytes <= MAX_RELAYED_BYTES
}

/** Returns the bytes of a bucket that a user's unused uploads may take: a share of the bytes that would be free without them. */
function shareOf({ max_bytes, used_bytes }: BucketRow, pendingBytes: number): number {
  if (max_bytes === null) return Infinity
  return Math.max(MIN_PENDING_SHARE_BYTES, (max_bytes - used_bytes + pendingBytes) * PENDING_SHARE)
}

/** Cancels the sender's unused upload; false if there is none. */
export async function cancelUpload({ database }: FileDeps, sender: Sender, id: string): Promise<boolean> {
  return database.transaction((transaction) => markCancelled(transaction, sender, id))
}

/**
 * Takes over direct uploads for a message: checks the announced size and type, examines and cleans, and moves each
 * object to a key that its sender cannot write. The files are still unused. Repeating it is safe.
 * @returns the files in the order of `ids`
 * @throws ApiError 404 for an upload that is unknown, another user's or already used, 400 for an incomplete upload or a bad
 * image, 503 if the storage does not answer
 */
export async function finishUploads(
  deps: UploadDeps,
  sender: Sender,
  ids: readonly string[],
): Promise<FileRow[]> {
  const found = await findFiles(deps.database, sender.tenantId, ids)
  const byId = new Map(found.filter((file) => isOf(file, sender)).map((file) => [file.id, file]))
  const files = ids.flatMap((id) => byId.get(id) ?? [])
  if (files.length < ids.length) throw unknownAttachments(ids.filter((id) => !byId.has(id)))
  return Promise.all(files.map((file) => finishUpload(deps, file)))
}

/** Returns the error that names the uploads that can no longer be used, after a message with these uploads was not written. */
export async function explainUnclaimed(
  { database }: UploadDeps,
  sender: Sender,
  ids: readonly string[],
): Promise<ApiError> {
  const files = await findFiles(database, sender.tenantId, ids)
  const left = new Set(files.filter((file) => isOf(file, sender)).map(({ id }) => id))
  return unknownAttachments(ids.filter((id) => !left.has(id)))
}

/** The error contains the ids, so that the client can send the message without them. */
function unknownAttachments(ids: readonly string[]): ApiError {
  return new ApiError('unknown_attachment', undefined, { 'x-unknown-attachments': ids.join() })
}

function isOf(file: FileRow, { channelId, ownerId }: Sender): boolean {
  const isPending = file.state === 'reserved' || file.state === 'stored'
  return isPending && file.purpose === 'message' && file.channel_id === channelId && file.owner_id === ownerId
}

async function finishUpload(deps: UploadDeps, file: FileRow): Promise<FileRow> {
  if (file.state === 'stored') return file
  const bucket = await findBucket(deps.database, file.tenant_id, file.bucket_id)
  if (bucket === undefined) throw unknownAttachments([file.id])
  const reservation = { file, bucket }
  try {
    return await takeOver(deps, reservation, file, incomingKeyOf(file))
  } catch (error) {
    // Another attempt to send the same message may have moved the upload, or failed right after the move.
    return (await findSettled(deps, file)) ?? finishMoved(deps, reservation, file, error)
  }
}

/**
 * Returns the file if it is complete by now; undefined if it is still reserved.
 * @throws ApiError 404 if a message has the file, or it was cancelled
 */
async function findSettled(
  { database }: UploadDeps,
  { tenant_id, id }: FileRow,
): Promise<FileRow | undefined> {
  const [now] = await findFiles(database, tenant_id, [id])
  if (now?.state === 'stored') return now
  if (now?.state !== 'reserved') throw unknownAttachments([id])
  return undefined
}

/** Completes a file whose object is at its final key already. Only an earlier send's move can have put it there. */
async function finishMoved(
  deps: UploadDeps,
  reservation: Reservation,
  file: FileRow,
  error: unknown,
): Promise<FileRow> {
  const sizeBytes = await asStoreAnswer(deps.stores.of(reservation.bucket).sizeOf(keyOf(file)))
  if (sizeBytes !== file.size_bytes) throw error
  try {
    return await takeOver(deps, reservation, file, keyOf(file))
  } catch (later) {
    const settled = await findSettled(deps, file)
    if (settled === undefined) throw later
    return settled
  }
}

async function takeOver(
  deps: UploadDeps,
  reservation: Reservation,
  file: FileRow,
  key: string,
): Promise<FileRow> {
  const store = deps.stores.of(reservation.bucket)
  const sizeBytes = await asStoreAnswer(store.sizeOf(key))
  if (sizeBytes !== file.size_bytes) throw new ApiError('upload_incomplete')
  const start = await readRange(store, key, { start: 0, end: Math.min(IMAGE_START_BYTES, sizeBytes) - 1 })
  if (isImageStart(start)) return cleanImage(deps, reservation, file)
  const read = (from: number, to: number) => readRange(store, key, { start: from, end: to })
  const facts = await deps.media.examineRemote({ sizeBytes, read }, file.content_type, file.owner_id)
  if (key !== keyOf(file)) await asStoreAnswer(store.move(key, keyOf(file)))
  return settleFile(deps, reservation, { ...facts, filename: file.filename, sizeBytes })
}

async function cleanImage(deps: UploadDeps, reservation: Reservation, file: FileRow): Promise<FileRow> {
  const { fetchTimeoutMs = FETCH_TIMEOUT_MS } = deps
  if (file.size_bytes > MAX_CLEANED_BYTES) throw new ApiError('image_too_complex')
  const store = deps.stores.of(reservation.bucket)
  await using opened = new AsyncDisposableStack()
  const place = deps.formSpace.enter(file.owner_id)
  opened.defer(() => place.leave())
  if (!place.grow(file.size_bytes)) throw new ApiError('unavailable')
  const folder = await deps.formSpace.folder.create()
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, file.id)
  // The object is read as a range, so that a storage cannot send more than the size.
  const whole = { start: 0, end: file.size_bytes - 1 }
  const body = await asStoreAnswer(store.read(incomingKeyOf(file), whole))
  const slow = new StoreError('unreachable', 'the storage takes too long')
  const deadline = setTimeout(() => body.destroy(slow), fetchTimeoutMs)
  opened.defer(() => clearTimeout(deadline))
  await asStoreAnswer(writing(() => pipeline(body, createWriteStream(path))))
  const examined = await deps.media.examine(
    path,
    { kind: 'any', claimedType: file.content_type },
    file.owner_id,
  )
  const stored = await putExamined(deps, reservation, file.filename, examined)
  // The sweep deletes this key once more after its signed address has expired.
  await store.delete(incomingKeyOf(file)).catch(() => undefined)
  return stored
}

async function readRange(
  store: ObjectStore,
  key: string,
  range: { start: number; end: number },
): Promise<Buffer> {
  if (range.end < range.start) return Buffer.alloc(0)
  const body = await asStoreAnswer(store.read(key, range))
  return asStoreAnswer(buffer(body))
}

/** Returns the type without parameters. */
function bareType(contentType: string): string {
  return contentType.split(';', 1).join('').trim().toLowerCase()
}
