import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FeedFile } from '@foyer/protocol/announcement-feed'
import { MAX_FORWARD_BYTES } from '@foyer/protocol/limits'
import type { FetchDeps } from '#src/files/images/fetching.ts'
import { keepOrDiscard, putExamined } from '#src/files/objects/actions.ts'
import { type FileTarget, reserveFile } from '#src/files/objects/reservation.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { FormSlot } from '#src/kernel/http/bodies/form-space.ts'
import { OutgoingError } from '#src/kernel/outgoing/outgoing-error.ts'
import { askingFor } from '#src/kernel/outgoing/user-agent.ts'
import { type CopiedFiles, timeForFiles, untilEnd } from '../follows/files.ts'
import type { Follower } from '../follows/followers.ts'
import { isOfOrigin } from './addresses.ts'

/** Seconds for which a file is reserved: far longer than fetching it takes. */
const KEPT_SECONDS = 60 * 60
const SILENCE_MS = 10_000
/**
 * Maximum time for the files of one message. Their sizes are only what the other server claims, and a slow server would
 * delay other messages.
 */
const MAX_FILES_MS = 120_000

/** A file that cannot be fetched, perhaps only temporarily. */
export class FileFetchError extends Error {}

interface Fetching {
  /** The origin of the other server. Files elsewhere are left out. */
  server: string
  /** True if the whole message may be tried again later, when a file cannot be fetched now. */
  mayWait: boolean
  signal: AbortSignal
}

/**
 * Fetches an announcement's files into the storage of the following room, one by one. Files that do not fit are left
 * out.
 * @throws FileFetchError if a file cannot be fetched now and the message may wait for it; the signal's reason
 */
export async function fetchEach(
  deps: FetchDeps,
  follower: Follower,
  files: readonly FeedFile[],
  fetching: Fetching,
): Promise<CopiedFiles> {
  const copied: FileRow[] = []
  const leftOut: string[] = []
  const sizeBytes = files.reduce((sum, { size }) => sum + Math.min(size, MAX_FORWARD_BYTES), 0)
  const lapse = AbortSignal.timeout(Math.min(timeForFiles(sizeBytes), MAX_FILES_MS))
  return keepOrDiscard(deps, copied, async () => {
    for (const file of files) {
      const copy = await fetchOne(deps, follower, file, { ...fetching, lapse })
      if (copy === undefined) leftOut.push(file.filename)
      else copied.push({ ...copy, description: file.description })
    }
    return { copied, leftOut }
  })
}

async function fetchOne(
  deps: FetchDeps,
  { space_id: tenantId, room_id: channelId, id: ownerId }: Follower,
  file: FeedFile,
  { server, mayWait, lapse, signal }: Fetching & { lapse: AbortSignal },
): Promise<FileRow | undefined> {
  if (!isOfOrigin(file.url, server) || file.size > MAX_FORWARD_BYTES) return undefined
  const target = { tenantId, channelId, ownerId, purpose: 'message', where: 'bucket-or-own' } as const
  try {
    const end = AbortSignal.any([signal, lapse])
    const copy = await untilEnd(deps, storeRemote(deps, target, file, end), end)
    if (copy === undefined) throw new FileFetchError('the files take too long')
    return copy
  } catch (error) {
    signal.throwIfAborted()
    if (mayWait && isTemporary(error)) throw new FileFetchError('a file cannot be had now', { cause: error })
    if (error instanceof ApiError || error instanceof FileFetchError) return undefined
    throw error
  }
}

/** Returns true for an error of the other server or of this one that may be gone at the next attempt. */
function isTemporary(error: unknown): boolean {
  return error instanceof FileFetchError || (error instanceof ApiError && error.status >= 500)
}

/** Reserves space for the file's size before fetching it, so that nothing is fetched that does not fit. */
async function storeRemote(
  deps: FetchDeps,
  target: FileTarget,
  { filename, description, content_type: contentType, size: sizeBytes, url }: FeedFile,
  signal: AbortSignal,
): Promise<FileRow> {
  await using opened = new AsyncDisposableStack()
  const place = deps.formSpace.enter(target.ownerId)
  opened.defer(() => place.leave())
  await deps.formSpace.checkDisk(sizeBytes)
  const kept = { keptSeconds: KEPT_SECONDS, incomingSeconds: null }
  const announced = { filename, description, contentType, sizeBytes, ...kept }
  const reservation = await deps.database.transaction((transaction) =>
    reserveFile(transaction, target, announced, deps.ownLimits),
  )
  const folder = await deps.formSpace.folder.create()
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  return await keepOrDiscard(deps, [reservation.file], async () => {
    const path = join(folder, 'file')
    await download(deps, { url: new URL(url), path, sizeBytes, place }, signal)
    const examined = await deps.media.examine(path, { kind: 'any', claimedType: contentType }, target.ownerId)
    return putExamined(deps, reservation, filename, examined)
  })
}

/** @throws FileFetchError if the file did not arrive, ApiError if another attempt would not help */
async function download(
  { outgoing }: FetchDeps,
  { url, path, sizeBytes, place }: { url: URL; path: string; sizeBytes: number; place: FormSlot },
  signal: AbortSignal,
): Promise<void> {
  const limits = { timeoutMs: SILENCE_MS, maxBytes: sizeBytes, signal }
  try {
    const answer = await outgoing.send({ method: 'GET', url, headers: askingFor('*/*'), ...limits })
    if (answer.status !== 200) {
      answer.body.destroy()
      throw refused(url, answer.status)
    }
    const out = createWriteStream(path, { flags: 'wx', mode: 0o600 })
    await pipeline(answer.body, (bytes) => counted(bytes, place), out)
    if (out.bytesWritten !== sizeBytes) throw new ApiError('upload_incomplete')
  } catch (error) {
    if (error instanceof FileFetchError || error instanceof ApiError) throw error
    if (error instanceof OutgoingError && error.reason === 'too_large') throw new ApiError('upload_too_large')
    throw new FileFetchError(`${url.hostname} gave no file`, { cause: error })
  }
}

/** Reserves disk space for bytes as they arrive: the other server may claim more than it ever sends. */
async function* counted(bytes: AsyncIterable<Buffer>, place: FormSlot): AsyncGenerator<Buffer> {
  for await (const part of bytes) {
    if (!place.grow(part.length)) throw new ApiError('unavailable')
    yield part
  }
}

function refused({ hostname }: URL, status: number): Error {
  if (status === 429 || status >= 500)
    return new FileFetchError(`${hostname} cannot give the file at present`)
  return new ApiError('unknown_attachment')
}
