import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { SpaceImportResult } from '@foyer/protocol/space-imports'
import type { Logger } from 'pino'
import type { FileDeps } from '#src/files/objects/actions.ts'
import { keyOf } from '#src/files/objects/rows.ts'
import { discardTenant } from '#src/files/objects/tenants.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError, type ErrorCode } from '#src/kernel/errors.ts'
import type { FormSpace } from '#src/kernel/http/bodies/form-space.ts'
import { writing } from '#src/kernel/storage/file-faults.ts'
import { StoreError } from '#src/kernel/storage/object-store.ts'
import type { TempFolder } from '#src/kernel/temp-folder.ts'
import { lockUsers } from '#src/people/users/queries.ts'
import type { SearchIndexer } from '#src/search/indexer.ts'
import { finishSpace } from '../building/actions.ts'
import { BuildingEnded } from '../building/keeping.ts'
import { type BuiltMessages, MessageBuilder } from '../building/messages.ts'
import { type BuiltPictures, buildPictures } from '../building/pictures.ts'
import { type Plan, planOf } from '../building/plan.ts'
import { buildStructure, type IncludedStorage } from '../building/structure.ts'
import { buildThreads } from '../building/threads.ts'
import { Archive } from '../reading/archive.ts'
import { ArchiveError } from '../reading/archive-error.ts'
import { checkSpace } from '../reading/checks.ts'
import { giveUpSpace } from './endings.ts'
import { beginRun, holdRun, markDone, markFailed, saveBuilt } from './queries.ts'
import type { ImportRow } from './rows.ts'

export interface RunningDeps extends FileDeps {
  config: IncludedStorage & { spaceImportBytes: number; spaceImportMessages: number }
  formSpace: Pick<FormSpace, 'checkDisk'>
  log: Pick<Logger, 'warn' | 'error'>
  tempFolder: TempFolder
  searchIndexer: Pick<SearchIndexer, 'note'>
}

/** Maximum number of runs of one import, in case it crashes its process each time. */
const MAX_RUNS = 5
/** Maximum unpacked size, as a multiple of the maximum packed size. Text shrinks to a tenth, and other content by less. */
const MAX_UNPACKED_FACTOR = 20
/** Time limit of a run, because other imports wait for it. */
const MAX_RUN_MS = 2 * 60 * 60 * 1000
/** Errors that the next run would meet again. They end the import. */
const LASTING: readonly ErrorCode[] = [
  'authentication_required',
  'too_many_spaces',
  'too_many_owned_rooms',
  'too_many_owned_overwrites',
  'disk_full',
]

/**
 * Imports an archive. After an interrupted run, deletes its space and starts over. The space counts as deleted until it is
 * complete.
 * @throws any error after which a later run may succeed
 */
export async function runImport(
  deps: RunningDeps,
  id: string,
  stopping: AbortSignal,
  maxRunMs = MAX_RUN_MS,
): Promise<void> {
  const run = await beginRun(deps.database, id)
  if (run === undefined) return
  await deps.database.transaction((transaction) => giveUpSpace(transaction, run.built_id))
  // The processes of earlier runs ended before they could store a result.
  if (run.attempts > MAX_RUNS) return end(deps, run, null, UNAVAILABLE)
  const folder = await deps.tempFolder.create()
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(maxRunMs)])
    await work({ ...deps, signal }, run, folder, stopping)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type BuildDeps = RunningDeps & { signal: AbortSignal }

async function work(deps: BuildDeps, run: ImportRow, folder: string, stopping: AbortSignal): Promise<void> {
  const path = join(folder, 'archive.zip')
  let plan: Plan | undefined
  try {
    await fetchArchive(deps, run, path)
    using archive = await Archive.open(path, deps.config.spaceImportBytes * MAX_UNPACKED_FACTOR)
    const space = await archive.readSpace()
    checkSpace(space)
    plan = planOf(space, run.user_id)
    await build(deps, run, archive, plan)
  } catch (error) {
    if (error instanceof BuildingEnded) return
    const failure = stopping.aborted ? undefined : deps.signal.aborted ? TOO_LONG : failureOf(error)
    const isLast = !stopping.aborted && run.attempts >= MAX_RUNS
    if (failure === undefined)
      deps.log[isLast ? 'error' : 'warn']({ err: error, import: run.id }, 'an import failed')
    await end(deps, run, plan?.spaceId ?? null, failure ?? (isLast ? UNAVAILABLE : undefined))
    if (failure === undefined && !isLast) throw error
  }
}

async function fetchArchive({ stores, formSpace }: RunningDeps, run: ImportRow, path: string): Promise<void> {
  const key = keyOf({ tenant_id: run.id, id: run.attachment_id ?? '' })
  await formSpace.checkDisk((await stores.own.sizeOf(key)) ?? 0)
  const content = await stores.own.read(key)
  await writing(() => pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 })))
}

async function build(deps: BuildDeps, run: ImportRow, archive: Archive, plan: Plan): Promise<void> {
  const { database } = deps
  await database.transaction(async (transaction) => {
    await keepRun(transaction, run)
    await saveBuilt(transaction, run, plan.spaceId)
    await buildStructure(transaction, plan, deps.config)
  })
  const pictures = await buildPictures(deps, archive, plan)
  await buildThreads(deps, archive, plan)
  const messages = await new MessageBuilder(deps, archive, plan).build()
  await database.transaction(async (transaction) => {
    await keepRun(transaction, run)
    await finishSpace(transaction, plan, pictures)
    await markDone(transaction, run, resultOf(archive, plan, pictures, messages))
    await discardTenant(transaction, run.id)
  })
  const channelIds = [...plan.rooms.values(), ...Array.from(plan.threads.values(), ({ id }) => id)]
  const places = channelIds.map((channelId) => ({ tenantId: plan.spaceId, channelId }))
  deps.searchIndexer.note(places)
}

/** Locks the account, then the import: in the same order as the account's deletion, so that the two never deadlock. */
async function keepRun(transaction: Transaction, run: ImportRow): Promise<void> {
  const [account] = await lockUsers(transaction, [run.user_id])
  if (account === undefined) throw new ApiError('authentication_required')
  if (!(await holdRun(transaction, run))) throw new BuildingEnded('another run has begun')
}

function resultOf(
  { manifest }: Archive,
  { space, emojis, stickers }: Plan,
  pictures: BuiltPictures,
  { messages, files, leftOut }: BuiltMessages,
): SpaceImportResult {
  const { member_overwrites, notices } = manifest.left_out
  return {
    rooms: space.rooms.length,
    roles: space.roles.length,
    messages,
    files,
    emojis: emojis.size,
    stickers: stickers.size,
    left_out: { ...leftOut, images: pictures.leftOut, member_overwrites, notices },
  }
}

interface Failure {
  code: string
  message: string
}

const TOO_LONG: Failure = { code: 'unavailable', message: 'the import took too long' }
const UNAVAILABLE: Failure = { code: 'unavailable', message: 'the import failed too often' }

/** Returns the failure to show to the person; undefined for an error after which the next run may succeed. */
function failureOf(error: unknown): Failure | undefined {
  if (error instanceof ArchiveError) return { code: error.fault, message: error.message }
  if (error instanceof ApiError && LASTING.includes(error.code))
    return { code: error.code, message: error.message }
  const isDiskFull = error instanceof StoreError && error.fault === 'disk_full'
  return isDiskFull ? { code: 'disk_full', message: error.message } : undefined
}

/** Gives up the built space. Stores the failure that ended the import; without one, a later run tries again. */
async function end(
  { database }: RunningDeps,
  run: ImportRow,
  spaceId: string | null,
  failure: Failure | undefined,
): Promise<void> {
  await database.transaction(async (transaction) => {
    // Locks the import before the space, as the deletion of an account does.
    const isHeld = failure !== undefined && (await holdRun(transaction, run))
    await giveUpSpace(transaction, spaceId)
    if (!isHeld) return
    await markFailed(transaction, run, failure)
    await discardTenant(transaction, run.id)
  })
}
