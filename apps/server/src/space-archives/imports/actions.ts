import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { MAX_SPACES } from '@foyer/protocol/limits'
import type { SpaceImport } from '@foyer/protocol/space-imports'
import { claimFiles, settleFile } from '#src/files/objects/actions.ts'
import type { OwnLimits } from '#src/files/objects/queries.ts'
import { type Reservation, reserveFile, UNLIMITED } from '#src/files/objects/reservation.ts'
import { keyOf } from '#src/files/objects/rows.ts'
import { asStoreAnswer } from '#src/files/objects/store-answers.ts'
import type { Stores } from '#src/files/objects/stores.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { FormSpace } from '#src/kernel/http/bodies/form-space.ts'
import { newId } from '#src/kernel/ids.ts'
import { writing } from '#src/kernel/storage/file-faults.ts'
import { receiveBody, UploadError } from '#src/kernel/storage/incoming-body.ts'
import { keepAccount } from '#src/people/users/queries.ts'
import { countSpacesOf } from '#src/spaces/membership.ts'
import { endUpload } from './endings.ts'
import { findImport, insertImport, listImportsOf, markQueued, takeUploads } from './queries.ts'
import { enqueueImport } from './queue.ts'
import { importOf } from './rows.ts'

export interface ImportDeps {
  config: { spaceImportBytes: number }
  database: Database
  stores: Stores
  formSpace: FormSpace
  ownLimits: OwnLimits
}

/** Time for which an archive is kept: longer than it may wait for earlier imports. */
const KEPT_SECONDS = 24 * 60 * 60
const TYPE = 'application/zip'
const TOO_LARGE = 'the archive is larger than this server imports'
const LOOK = { filename: 'space.zip', contentType: TYPE }

/** An archive that is being uploaded. */
export interface Incoming {
  userId: string
  sizeBytes: number
  body: Readable
  /** Called when the server is ready to read the body. */
  onReady: () => void
}

/**
 * Receives an archive and enqueues its import.
 * @throws ApiError 400 at the limit of spaces and for an interrupted body, 401 for a deleted account, 409 while another
 * archive of the user is imported, 413 for an archive that is too large, 503 while request bodies take up too much disk
 * space, 507 if the disk is too full
 */
export async function receiveArchive(deps: ImportDeps, incoming: Incoming): Promise<SpaceImport> {
  const { database, formSpace } = deps
  const { userId, sizeBytes } = incoming
  if (sizeBytes > deps.config.spaceImportBytes) throw new ApiError('upload_too_large', TOO_LARGE)
  await formSpace.checkDisk(sizeBytes)
  await using opened = new AsyncDisposableStack()
  const place = formSpace.enter(userId)
  opened.defer(() => place.leave())
  if (!place.grow(sizeBytes)) throw new ApiError('unavailable')
  const { id, reservation } = await begin(deps, incoming)
  const folder = await formSpace.folder.create()
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  try {
    const path = join(folder, 'archive.zip')
    incoming.onReady()
    await receive(incoming, path)
    const row = await keep(deps, id, { reservation, path, sizeBytes })
    // If enqueueing fails, a later run of the sweep does it.
    await enqueueImport(database, id).catch(() => undefined)
    return row
  } catch (error) {
    // If the import cannot be deleted, it expires later.
    const wasThere = await database.transaction((transaction) => endUpload(transaction, id)).catch(() => true)
    throw wasThere ? error : new ApiError('import_underway')
  }
}

async function begin(
  { database, ownLimits: { disk } }: ImportDeps,
  { userId, sizeBytes }: Incoming,
): Promise<{ id: string; reservation: Reservation }> {
  const id = newId()
  const target = { tenantId: id, ownerId: userId, purpose: 'import', where: 'own' } as const
  const announced = { ...LOOK, sizeBytes, keptSeconds: KEPT_SECONDS, incomingSeconds: null }
  const limits = disk === undefined ? UNLIMITED : { ...UNLIMITED, disk }
  return database.transaction(async (transaction) => {
    if (!(await keepAccount(transaction, userId))) throw new ApiError('authentication_required')
    if ((await countSpacesOf(transaction, userId)) >= MAX_SPACES) throw new ApiError('too_many_spaces')
    for (const earlier of await takeUploads(transaction, userId)) await endUpload(transaction, earlier)
    if ((await insertImport(transaction, { id, userId })) === undefined) throw new ApiError('import_underway')
    return { id, reservation: await reserveFile(transaction, target, announced, limits) }
  })
}

async function receive({ body, sizeBytes }: Incoming, path: string): Promise<void> {
  const { signal } = new AbortController()
  const received = writing(() => receiveBody(body, { path, sizeBytes, signal }))
  await asStoreAnswer(
    received.catch((error: unknown) => {
      throw error instanceof UploadError ? new ApiError('upload_incomplete') : error
    }),
  )
}

async function keep(
  deps: ImportDeps,
  id: string,
  { reservation, path, sizeBytes }: { reservation: Reservation; path: string; sizeBytes: number },
): Promise<SpaceImport> {
  const { file, bucket } = reservation
  await asStoreAnswer(deps.stores.of(bucket).put(keyOf(file), { path, sizeBytes, contentType: TYPE }))
  await settleFile(deps, reservation, { ...LOOK, sizeBytes, width: null, height: null, animated: false })
  return deps.database.transaction(async (transaction) => {
    // Locks the import before the file, in the same order as a newer upload, so that the two never deadlock.
    const row = await markQueued(transaction, { id, attachmentId: file.id })
    if (row === undefined) throw new ApiError('import_underway')
    await claimFiles(transaction, file.tenant_id, [file.id])
    return importOf(row)
  })
}

/** Lists a person's imports that have not expired, the newest first. */
export async function listImports(
  { database }: Pick<ImportDeps, 'database'>,
  userId: string,
): Promise<SpaceImport[]> {
  return (await listImportsOf(database, userId)).map(importOf)
}

/** @throws ApiError 404 for an unknown or expired import, and for another person's */
export async function showImport(
  { database }: Pick<ImportDeps, 'database'>,
  wanted: { id: string; userId: string },
): Promise<SpaceImport> {
  const row = await findImport(database, wanted)
  if (row === undefined) throw new ApiError('unknown_import')
  return importOf(row)
}
