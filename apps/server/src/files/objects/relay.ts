import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { FormSpace } from '#src/kernel/http/bodies/form-space.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { writing } from '#src/kernel/storage/file-faults.ts'
import { receiveBody, UploadError } from '#src/kernel/storage/incoming-body.ts'
import type { IncomingUploads } from './incoming-uploads.ts'
import { findBucket, findFiles } from './queries.ts'
import { type FileRow, incomingKeyOf } from './rows.ts'
import { asStoreAnswer } from './store-answers.ts'
import type { Stores } from './stores.ts'

export interface RelayDeps {
  database: Database
  uploads: IncomingUploads
  stores: Stores
  formSpace: FormSpace
}

/** Maximum size of a relayed file in bytes. The server keeps it on disk until it has all arrived. */
export const MAX_RELAYED_BYTES = 1024 ** 3

/** Finds the upload with this incoming key, if a message may still use it. */
export async function findAwaited(database: Queryable, key: string): Promise<FileRow | undefined> {
  const [place, tenantId = '', id = ''] = key.split('/')
  if (place !== 'incoming') return undefined
  const [file] = await findFiles(database, tenantId, [id])
  return file?.state === 'reserved' && file.channel_id !== null ? file : undefined
}

/**
 * Relays an upload to a bucket that browsers cannot reach: first to disk, however slowly it arrives, then to the
 * bucket.
 * @throws ApiError 400 for an incomplete body, 404 once no message can use the upload, 503 if the space for forms is
 *   full or the bucket does not answer, 507 if the disk is too full
 */
export async function relayUpload(
  deps: RelayDeps,
  file: FileRow,
  { body, onReady }: { body: Readable; onReady: () => void },
): Promise<void> {
  const { formSpace } = deps
  await formSpace.checkDisk(file.size_bytes)
  await using opened = new AsyncDisposableStack()
  const place = formSpace.enter(file.owner_id)
  opened.defer(() => place.leave())
  if (!place.grow(file.size_bytes)) throw new ApiError('unavailable')
  const folder = await formSpace.folder.create()
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'object')
  await deps.uploads.receive(incomingKeyOf(file), async () => {
    onReady()
    await receive(body, path, file.size_bytes)
    await store(deps, file, path)
  })
}

async function receive(body: Readable, path: string, sizeBytes: number): Promise<void> {
  const { signal } = new AbortController()
  const received = writing(() => receiveBody(body, { path, sizeBytes, signal }))
  await asStoreAnswer(
    received.catch((error: unknown) => {
      throw error instanceof UploadError ? new ApiError('upload_incomplete') : error
    }),
  )
}

/** Puts the object into its bucket. Deletes it again if the reservation ended, because the sweep would not find it then. */
async function store({ database, stores }: RelayDeps, file: FileRow, path: string): Promise<void> {
  const key = incomingKeyOf(file)
  const bucket = await findBucket(database, file.tenant_id, file.bucket_id)
  const awaited = await findAwaited(database, key)
  if (bucket === undefined || awaited === undefined) throw new ApiError('unknown_attachment')
  const object = { path, sizeBytes: file.size_bytes, contentType: file.content_type }
  await asStoreAnswer(stores.of(bucket).put(key, object))
  if ((await findAwaited(database, key)) !== undefined) return
  await asStoreAnswer(stores.of(bucket).delete(key))
  throw new ApiError('unknown_attachment')
}
