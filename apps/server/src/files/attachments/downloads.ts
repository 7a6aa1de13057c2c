import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { finished, type Readable, Transform } from 'node:stream'
import type { DownloadQuery, SignedUrl } from '@foyer/protocol/attachments'
import { ATTACHMENT_URL_SECONDS, PRESIGNED_URL_SECONDS } from '@foyer/protocol/limits'
import { accessChannel, type ChannelDeps } from '#src/channels/access.ts'
import { isConversation } from '#src/channels/place.ts'
import { accessConversation } from '#src/conversations/access.ts'
import type { DownloadFact, DownloadFacts } from '#src/files/objects/download-facts.ts'
import { type FileRow, keyOf, type Purpose } from '#src/files/objects/rows.ts'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import { asStoreAnswer } from '#src/files/objects/store-answers.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { isInlineSafe, servedTypeOf } from '#src/kernel/media/inline.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { type ByteRange, type DownloadLook, StoreError } from '#src/kernel/storage/object-store.ts'

export interface DownloadDeps extends ChannelDeps {
  downloadFacts: DownloadFacts
  downloads: DownloadSigner
}

/** A file that may be downloaded. */
export interface Download {
  fact: DownloadFact
  /** Expiry of the address, in seconds since 1970; undefined for public images. */
  expiresAt: number | undefined
}

/** Seconds for which browsers may cache the redirect or the file. The presigned address still works then. */
const KEPT_SECONDS = PRESIGNED_URL_SECONDS / 2

/** Purposes that are not downloaded here: archives. An exported archive has its own route. */
const UNSERVED: readonly Purpose[] = ['export', 'import']
/** Purposes that need a signed address. Files of other purposes are public. */
const SIGNED: readonly Purpose[] = ['message', 'report']

/**
 * Finds a file to download. Files of messages and reports need a signature; images of spaces and users do not.
 * @throws ApiError 404 for an unknown file, 403 for a missing, wrong or expired signature
 */
export async function accessDownload(
  { downloadFacts, downloads }: DownloadDeps,
  attachmentId: string,
  { sig, exp }: DownloadQuery,
): Promise<Download> {
  const fact = await downloadFacts.find(attachmentId)
  if (fact === undefined || UNSERVED.includes(fact.file.purpose)) throw new ApiError('unknown_attachment')
  if (!SIGNED.includes(fact.file.purpose)) return { fact, expiresAt: undefined }
  const isGiven = typeof sig === 'string' && typeof exp === 'string'
  if (!isGiven || !downloads.isValid(attachmentId, { sig, exp }, Date.now()))
    throw new ApiError('invalid_signature')
  return { fact, expiresAt: Number(exp) }
}

/** Forbids shared caches, and caching beyond the address's expiry. */
export function cachingOf({ expiresAt }: Download): string {
  const left = expiresAt === undefined ? KEPT_SECONDS : expiresAt - Math.floor(Date.now() / 1000)
  return `private, max-age=${Math.max(0, Math.min(KEPT_SECONDS, left))}`
}

/** Returns an address in the storage, valid for an hour. */
export function presign({ file, store }: DownloadFact): Promise<string> {
  return asStoreAnswer(store.presignDownload(keyOf(file), lookOf(file), PRESIGNED_URL_SECONDS))
}

export function lookOf({ content_type, filename }: FileRow): DownloadLook {
  return { contentType: servedTypeOf(content_type), filename, inline: isInlineSafe(content_type) }
}

/**
 * Opens the file or a range of it, and resolves once its first bytes have arrived: until then, an error can still be
 * answered. A later error, or a wrong size, aborts the response.
 * @param response reading stops when it ends or its client disconnects
 * @throws ApiError 503 if the storage does not answer
 */
export async function openDownload(
  { file, store }: DownloadFact,
  range: ByteRange | undefined,
  response: ServerResponse,
): Promise<Readable> {
  const stored = await asStoreAnswer(store.read(keyOf(file), range).catch(refuseMissing))
  const whole = exactly(stored, range === undefined ? file.size_bytes : range.end - range.start + 1)
  const stop = () => stored.destroy()
  if (response.destroyed) stop()
  response.once('close', stop)
  await once(whole, 'readable')
  return whole
}

function refuseMissing(error: unknown): never {
  throw error instanceof StoreError && error.fault === 'missing' ? new ApiError('unknown_attachment') : error
}

/** Delays each chunk until the next one arrives, and the last until the end, when the size is known to be right. */
function exactly(stored: Readable, sizeBytes: number): Readable {
  let left = sizeBytes
  let held: Buffer | undefined
  const whole = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const before = held
      left -= chunk.length
      held = chunk
      if (left < 0) done(new ApiError('storage_unavailable'))
      else done(null, before)
    },
    flush: (done) => (left === 0 ? done(null, held) : done(new ApiError('storage_unavailable'))),
  })
  finished(stored, { writable: false }, (error) => {
    if (error) whole.destroy(new ApiError('storage_unavailable'))
  })
  return stored.pipe(whole)
}

/**
 * Returns a new address, valid for 24 hours.
 * @throws ApiError 404 for an unknown file and for a file in a conversation that the caller is not in, 403 if the caller may
 *   not view the message's room now
 */
export async function resign(deps: DownloadDeps, caller: Caller, attachmentId: string): Promise<SignedUrl> {
  const fact = await deps.downloadFacts.find(attachmentId)
  if (fact === undefined) throw new ApiError('unknown_attachment')
  await accessPlace(deps, caller, fact.file)
  const expiresAt = Math.floor(Date.now() / 1000) + ATTACHMENT_URL_SECONDS
  return { url: deps.downloads.sign(attachmentId, expiresAt) }
}

/** Only files of messages belong to a channel with restricted access. */
async function accessPlace(
  deps: DownloadDeps,
  caller: Caller,
  { tenant_id, channel_id, purpose }: FileRow,
): Promise<void> {
  // Files of reports and exports have addresses of their own.
  if (purpose === 'report' || UNSERVED.includes(purpose)) throw new ApiError('unknown_attachment')
  if (channel_id === null) return
  const isInRoom = !isConversation({ tenantId: tenant_id, channelId: channel_id })
  if (isInRoom) await accessChannel(deps, caller, { roomId: channel_id })
  else await accessConversation(deps, caller, channel_id).catch(hideConversation)
}

/** Non-members get 404 for a conversation's file, like for an unknown one. */
function hideConversation(error: unknown): never {
  const isStranger = error instanceof ApiError && error.code === 'unknown_conversation'
  throw isStranger ? new ApiError('unknown_attachment') : error
}
