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
import type { FormSpace } from '#src/kernel/http/form-space.ts'
import { writing } from '#src/kernel/storage/file-faults.ts'
import { type ObjectStore, StoreError } from '#src/kernel/storage/object-store.ts'
import { type FileDeps, putExamined, settleFile } from './actions.ts'
import { IMAGE_START_BYTES, isImageStart } from './image-start.ts'
import { markCancelled, measurePending } from './ledger.ts'
import { findBucket, findFiles } from './queries.ts'
import { MAX_RELAYED_BYTES } from './relay.ts'
import { type FileTarget, type Reservation, reserveFile } from './reservation.ts'
import { type BucketRow, type FileRow, incomingKeyOf, keyOf, UNSENT_UPLOAD_SECONDS } from './rows.ts'
import { asStoreAnswer } from './store-answers.ts'

export interface UploadDeps extends FileDeps {
  /** For images while they are cleaned: they take room on the disk as forms do. */
  formSpace: FormSpace
  fetchTimeoutMs?: number
}

/** Whose uploads, and to which room. */
export interface Sender {
  tenantId: string
  channelId: string
  ownerId: string
}

const SHARE_TAKEN =
  'your uploads that no message has yet take your share of the storage; send or cancel them first'
/** Cleaning an image means to have it here whole; what is larger is no picture to be shown in a chat. */
const MAX_CLEANED_BYTES = 64 * 1024 * 1024
/** As long as a form may take to arrive. */
const FETCH_TIMEOUT_MS = 300_000

/**
 * Keeps room for a file and tells where its sender can put it, past the server.
 * @throws ApiError 413 over the limits of the storage and past the user's share of it, 400 with too many uploads that no message has
 */
export async function reserveUpload(
  deps: FileDeps,
  target: FileTarget,
  body: CreateUploadBody,
): Promise<Upload> {
  const contentType = bareType(body.content_type)
  const announced = {
    filename: body.filename,
    contentType,
    sizeBytes: body.size_bytes,
    keptSeconds: UNSENT_UPLOAD_SECONDS,
    incomingSeconds: UNSENT_UPLOAD_SECONDS,
  }
  if (body.size_bytes > MAX_UPLOAD_BYTES) throw new ApiError('upload_too_large')
  const expiresAt = new Date(Date.now() + UNCLAIMED_UPLOAD_SECONDS * 1000)
  const { file, bucket } = await deps.database.transaction(async (transaction) => {
    const reservation = await reserveFile(transaction, target, announced, deps.ownLimits)
    // Counted behind the lock of the bucket's row: uploads of one moment see each other.
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

/** Whether a file can go where browsers cannot upload: it takes room on the server's disk on its way. */
function isRelayable({ direct_upload }: BucketRow, sizeBytes: number): boolean {
  return direct_upload || sizeBytes <= MAX_RELAYED_BYTES
}

/** What one user's pending uploads may take of a bucket, in bytes: a part of what is free but for them. */
function shareOf({ max_bytes, used_bytes }: BucketRow, pendingBytes: number): number {
  if (max_bytes === null) return Infinity
  return Math.max(MIN_PENDING_SHARE_BYTES, (max_bytes - used_bytes + pendingBytes) * PENDING_SHARE)
}

/** No message can name it any more. False when the sender has no such upload that no message has. */
export async function cancelUpload({ database }: FileDeps, sender: Sender, id: string): Promise<boolean> {
  return database.transaction((transaction) => markCancelled(transaction, sender, id))
}

/**
 * Takes over what was uploaded past the server: it is what was announced, it is examined and cleaned, and it is moved to
 * where its sender can no longer write. Nothing shows it yet; asked again, it is found done.
 * @returns the files in the order of `ids`
 * @throws ApiError 404 for what is no upload of the sender's that no message has, 400 for what was not uploaded whole or
 *   is a bad image, 503 when the storage does not answer
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

/** Which of these no message can name any more, after one could not be written with them. */
export async function explainUnclaimed(
  { database }: UploadDeps,
  sender: Sender,
  ids: readonly string[],
): Promise<ApiError> {
  const files = await findFiles(database, sender.tenantId, ids)
  const left = new Set(files.filter((file) => isOf(file, sender)).map(({ id }) => id))
  return unknownAttachments(ids.filter((id) => !left.has(id)))
}

/** Which they are, because a message goes on without them: the others are still there. */
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
    // Another send of the same upload may have moved it meanwhile, or one that broke off right behind the move.
    return (await findSettled(deps, file)) ?? finishMoved(deps, reservation, file, error)
  }
}

/** @throws ApiError 404 for what a message has by now, or was given up */
async function findSettled(
  { database }: UploadDeps,
  { tenant_id, id }: FileRow,
): Promise<FileRow | undefined> {
  const [now] = await findFiles(database, tenant_id, [id])
  if (now?.state === 'stored') return now
  if (now?.state !== 'reserved') throw unknownAttachments([id])
  return undefined
}

/** Nothing but a move puts an object there before its row says that it is whole. */
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
  // As a range: a store answers with no more than that.
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
  // The sweep empties the place once more, when nobody can write there any more.
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

/** Without its parameters. */
function bareType(contentType: string): string {
  return contentType.split(';', 1).join('').trim().toLowerCase()
}
