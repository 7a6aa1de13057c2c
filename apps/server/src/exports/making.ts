import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { claimFiles, discardFiles, keepOrDiscard, settleFile } from '#src/files/objects/actions.ts'
import { type Reservation, reserveFile, UNLIMITED } from '#src/files/objects/reservation.ts'
import { keyOf } from '#src/files/objects/rows.ts'
import { asStoreAnswer } from '#src/files/objects/store-answers.ts'
import { listFileIds } from '#src/files/objects/tenants.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { StoreError } from '#src/kernel/storage/object-store.ts'
import { filenameOf } from './actions.ts'
import { ArchiveWriter } from './archive-writer.ts'
import type { ContentDeps } from './content-deps.ts'
import { contents } from './contents.ts'
import { beginRun, holdRun, markFailed, markReady } from './queries.ts'
import type { ExportRow } from './rows.ts'

export const MAIL_EXPORT_READY = 'mail_export_ready'

export type MakingDeps = ContentDeps & { log: Pick<Logger, 'warn' | 'error'> }

/** Maximum number of runs of one export, in case it crashes its process each time. */
const MAX_RUNS = 5
/** Seconds until the sweep deletes an archive that was not stored completely. Storing takes far less. */
const KEPT_SECONDS = 60 * 60
const TYPE = 'application/zip'

/**
 * Makes an export. After an interrupted run, starts over: nothing of that run stays.
 * @throws any error after which another run may succeed
 */
export async function makeExport(deps: MakingDeps, id: string, signal: AbortSignal): Promise<void> {
  const run = await beginRun(deps.database, id)
  if (run === undefined) return
  // The processes of earlier runs ended before they could store a result.
  if (run.attempts > MAX_RUNS) return markFailed(deps.database, run, 'unavailable')
  try {
    await write(deps, run, signal)
  } catch (error) {
    if (signal.aborted) throw error
    await noteFailure(deps, run, error)
  }
}

async function noteFailure({ database, log }: MakingDeps, run: ExportRow, error: unknown): Promise<void> {
  const facts = { err: error, export: run.id, run: run.attempts }
  if (isFull(error)) {
    log.warn(facts, 'an export has no room')
    return markFailed(database, run, 'storage_full')
  }
  if (run.attempts < MAX_RUNS) throw error
  log.error(facts, 'an export failed for good')
  await markFailed(database, run, 'unavailable')
}

function isFull(error: unknown): boolean {
  if (error instanceof StoreError) return error.fault === 'full' || error.fault === 'disk_full'
  return error instanceof ApiError && (error.code === 'disk_full' || error.code === 'storage_full')
}

async function write(deps: MakingDeps, run: ExportRow, signal: AbortSignal): Promise<void> {
  const folder = await deps.tempFolder.create()
  try {
    const path = join(folder, 'archive.zip')
    const sizeBytes = await fill(deps, run, new ArchiveWriter(path, signal), signal)
    await keep(deps, run, { path, sizeBytes })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function fill(
  deps: ContentDeps,
  run: ExportRow,
  archive: ArchiveWriter,
  signal: AbortSignal,
): Promise<number> {
  try {
    await contents[run.kind](deps, run, archive, signal)
    return await archive.finish()
  } catch (error) {
    await archive.abandon()
    throw error
  }
}

/** Stores the archive. Its row exists before its object, so that the sweep can find it. */
async function keep(
  deps: MakingDeps,
  run: ExportRow,
  { path, sizeBytes }: { path: string; sizeBytes: number },
): Promise<void> {
  const reservation = await reserve(deps, run, sizeBytes)
  await keepOrDiscard(deps, [reservation.file], async () => {
    const object = { path, sizeBytes, contentType: TYPE }
    await asStoreAnswer(deps.stores.of(reservation.bucket).put(keyOf(reservation.file), object))
    const facts = { filename: filenameOf(run), contentType: TYPE, sizeBytes }
    await settleFile(deps, reservation, { ...facts, width: null, height: null, animated: false })
    await release(deps, run, reservation, sizeBytes)
  })
}

/** @throws ApiError 503 if the export was deleted or another run has begun, 507 if the disk is too full */
async function reserve(
  { database, ownLimits: { disk } }: MakingDeps,
  run: ExportRow,
  sizeBytes: number,
): Promise<Reservation> {
  const target = { tenantId: run.id, ownerId: run.user_id, purpose: 'export', where: 'own' } as const
  const announced = { filename: filenameOf(run), contentType: TYPE, sizeBytes }
  return database.transaction(async (transaction) => {
    if (!(await holdRun(transaction, run))) throw new ApiError('unavailable')
    // An interrupted run may have stored files.
    await discardFiles(transaction, run.id, await listFileIds(transaction, run.id))
    const kept = { ...announced, keptSeconds: KEPT_SECONDS, incomingSeconds: null }
    const limits = disk === undefined ? UNLIMITED : { ...UNLIMITED, disk }
    return reserveFile(transaction, target, kept, limits)
  })
}

/** Marks the export ready to download, and enqueues the mail about it. */
async function release(
  { database }: MakingDeps,
  run: ExportRow,
  { file }: Reservation,
  sizeBytes: number,
): Promise<void> {
  await database.transaction(async (transaction) => {
    if (!(await holdRun(transaction, run))) throw new ApiError('unavailable')
    await claimFiles(transaction, file.tenant_id, [file.id])
    await markReady(transaction, run.id, { attachmentId: file.id, sizeBytes })
    await enqueueJob(transaction, MAIL_EXPORT_READY, { user_id: run.user_id, kind: run.kind })
  })
}
