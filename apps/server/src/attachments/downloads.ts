import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { finished, type Readable, Transform } from 'node:stream'
import type { DownloadQuery, SignedUrl } from '@foyer/protocol/attachments'
import { ATTACHMENT_URL_SECONDS, PRESIGNED_URL_SECONDS } from '@foyer/protocol/limits'
import type { ChannelDeps } from '#src/channels/access.ts'
import { isConversation } from '#src/channels/place.ts'
import { accessConversation } from '#src/conversations/access.ts'
import type { DownloadFact, DownloadFacts } from '#src/files/download-facts.ts'
import { type FileRow, keyOf } from '#src/files/rows.ts'
import type { DownloadSigner } from '#src/files/signatures.ts'
import { asStoreAnswer } from '#src/files/store-answers.ts'
import type { Caller } from '#src/kernel/credentials.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { isInlineSafe, servedTypeOf } from '#src/kernel/media/inline.ts'
import { type ByteRange, type DownloadLook, StoreError } from '#src/kernel/storage/object-store.ts'
import { accessRoom } from '#src/spaces/access.ts'

export interface DownloadDeps extends ChannelDeps {
  downloadFacts: DownloadFacts
  downloads: DownloadSigner
}

/** A file that may be downloaded. */
export interface Download {
  fact: DownloadFact
  /** When the address expires, in seconds since 1970; undefined for what everybody may see. */
  expiresAt: number | undefined
}

/** A browser may keep the way to a file, and the file, for so long: what it was told to keep still works then. */
const KEPT_SECONDS = PRESIGNED_URL_SECONDS / 2

/**
 * Who knows the address of an image of a space or a user may see it; a message's files need a signature of ours.
 * @throws ApiError 404 for what is not there, 403 for a signature that is missing, wrong or expired
 */
export async function accessDownload(
  { downloadFacts, downloads }: DownloadDeps,
  attachmentId: string,
  { sig, exp }: DownloadQuery,
): Promise<Download> {
  const fact = await downloadFacts.find(attachmentId)
  if (fact === undefined) throw new ApiError('unknown_attachment')
  if (fact.file.purpose !== 'message') return { fact, expiresAt: undefined }
  const isGiven = typeof sig === 'string' && typeof exp === 'string'
  if (!isGiven || !downloads.isValid(attachmentId, { sig, exp }, Date.now()))
    throw new ApiError('invalid_signature')
  return { fact, expiresAt: Number(exp) }
}

/** Never by what stands between a browser and us, and no longer than the address itself works. */
export function cachingOf({ expiresAt }: Download): string {
  const left = expiresAt === undefined ? KEPT_SECONDS : expiresAt - Math.floor(Date.now() / 1000)
  return `private, max-age=${Math.max(0, Math.min(KEPT_SECONDS, left))}`
}

/** An address in the storage, which works for an hour. */
export function presign({ file, store }: DownloadFact): Promise<string> {
  return asStoreAnswer(store.presignDownload(keyOf(file), lookOf(file), PRESIGNED_URL_SECONDS))
}

export function lookOf({ content_type, filename }: FileRow): DownloadLook {
  return { contentType: servedTypeOf(content_type), filename, inline: isInlineSafe(content_type) }
}

/**
 * The bytes of the file or of a range of it, once the first of them are here: until then, whatever goes wrong can still be
 * told. Later it breaks the response off, and so does a storage that sends less or more than the file has.
 * @param response when it ends, or its reader goes, the storage is read no further
 * @throws ApiError 503 when the storage does not answer
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

/** A chunk is passed on once another comes, and the last once the end did: only then it is known to be right. */
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
 * A new address for 24 hours.
 * @throws ApiError 404 for what is not there, or in a conversation that the caller is not in, 403 for who may not view the
 *   room of the message now
 */
export async function resign(deps: DownloadDeps, caller: Caller, attachmentId: string): Promise<SignedUrl> {
  const fact = await deps.downloadFacts.find(attachmentId)
  if (fact === undefined) throw new ApiError('unknown_attachment')
  await accessPlace(deps, caller, fact.file)
  const expiresAt = Math.floor(Date.now() / 1000) + ATTACHMENT_URL_SECONDS
  return { url: deps.downloads.sign(attachmentId, expiresAt) }
}

/** Only files of messages have a place that not everybody may look into. */
async function accessPlace(
  deps: DownloadDeps,
  caller: Caller,
  { tenant_id, channel_id }: FileRow,
): Promise<void> {
  if (channel_id === null) return
  const isInRoom = !isConversation({ tenantId: tenant_id, channelId: channel_id })
  if (isInRoom) await accessRoom(deps.snapshots, caller, channel_id)
  else await accessConversation(deps, caller, channel_id).catch(hideConversation)
}

/** To who is not in it, a conversation's file looks like none. */
function hideConversation(error: unknown): never {
  const isStranger = error instanceof ApiError && error.code === 'unknown_conversation'
  throw isStranger ? new ApiError('unknown_attachment') : error
}
