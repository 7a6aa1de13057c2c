import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type FileDeps, storeFile } from '#src/files/objects/actions.ts'
import type { FileTarget } from '#src/files/objects/reservation.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { FormSpace } from '#src/kernel/http/bodies/form-space.ts'
import type { SpooledFile } from '#src/kernel/http/bodies/multipart.ts'
import { essenceOf } from '#src/kernel/media/inline.ts'
import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { askingFor } from '#src/kernel/outgoing/user-agent.ts'

export interface FetchDeps extends FileDeps {
  outgoing: Outgoing
  /** Disk space for downloads in progress. They count towards the same limits as multipart request bodies. */
  formSpace: FormSpace
}

export type PictureTarget = Pick<FileTarget, 'tenantId' | 'ownerId' | 'purpose'> & {
  fit: { width: number; height: number }
}

const MAX_BYTES = 8 * 1024 * 1024
const SILENCE_MS = 5000
const MAX_REDIRECTS = 3

/**
 * Downloads a third party's image, cleans it and stores it in the server's own storage. Nothing shows it yet.
 * @throws OutgoingError if the host does not answer, ApiError if the answer is not an image or cannot be stored, or the
 *   signal's reason
 */
export async function fetchPicture(
  deps: FetchDeps,
  target: PictureTarget,
  url: URL,
  signal: AbortSignal,
): Promise<FileRow> {
  await using opened = new AsyncDisposableStack()
  const place = deps.formSpace.enter(target.ownerId)
  opened.defer(() => place.leave())
  if (!place.grow(MAX_BYTES)) throw new ApiError('unavailable')
  const folder = await deps.formSpace.folder.create()
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const spooled = await spool(deps, url, { path: join(folder, 'picture'), signal })
  return await storeFile(deps, { ...target, where: 'own' }, spooled)
}

async function spool(
  { outgoing }: FetchDeps,
  url: URL,
  { path, signal }: { path: string; signal: AbortSignal },
): Promise<SpooledFile> {
  const answer = await outgoing.send({
    method: 'GET',
    url,
    headers: askingFor('image/*'),
    timeoutMs: SILENCE_MS,
    maxBytes: MAX_BYTES,
    maxRedirects: MAX_REDIRECTS,
    signal,
  })
  const contentType = essenceOf(answer.headers['content-type'] ?? '')
  if (answer.status !== 200 || !contentType.startsWith('image/')) {
    answer.body.destroy()
    throw new ApiError('invalid_image')
  }
  const out = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  await pipeline(answer.body, out)
  return { field: 'picture', filename: 'picture', contentType, sizeBytes: out.bytesWritten, path }
}
