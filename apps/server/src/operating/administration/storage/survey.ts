import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LEAST_ID } from '@foyer/protocol/ids'
import { keyOf } from '#src/files/objects/rows.ts'
import type { Stores } from '#src/files/objects/stores.ts'
import { eachOf } from '#src/kernel/at-once.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { UUID } from '#src/kernel/ids.ts'
import { findKnown, isShown, noteProgress, readStep, SURVEY_STEP } from './queries.ts'
import { type FileKey, type Findings, type SurveyedFile, Tally } from './tally.ts'

export interface SurveyDeps {
  database: Database
  stores: Pick<Stores, 'own'>
  /** Folder of the server's own storage; undefined for a bucket. */
  ownFolder: string | undefined
}

/** Objects that are looked up at the same time. */
const AT_ONCE = 8
const HOUR_MS = 3_600_000

/**
 * Checks all file rows in steps, and the objects of the server's own storage. Buckets of spaces are not read, because
 * they belong to others.
 * @throws the reason of the signal when it is aborted
 */
export async function surveyStorage(deps: SurveyDeps, signal: AbortSignal): Promise<Findings> {
  const tally = new Tally()
  await noteProgress(deps.database, 0)
  let last: FileKey = { tenant_id: LEAST_ID, id: LEAST_ID }
  let isMore = true
  while (isMore) {
    signal.throwIfAborted()
    const files = await readStep(deps.database, last)
    for (const file of files) tally.add(file)
    await eachOf(files.filter(mustBeThere), AT_ONCE, (file) => lookFor(deps, tally, file))
    last = files.at(-1) ?? last
    isMore = files.length === SURVEY_STEP
    await noteProgress(deps.database, tally.count)
  }
  if (deps.ownFolder !== undefined) tally.loose = await findLoose(deps.database, deps.ownFolder, signal)
  return tally.result()
}

/**
 * Returns true if the server's storage must have the file's object. An upload of the last hour may not have been moved
 * there yet.
 */
function mustBeThere(file: SurveyedFile & { is_old: boolean }): boolean {
  return file.bucket_kind !== 's3' && file.purpose !== 'unfinished' && file.is_old
}

/** Looks for a file's object. If it is missing, the row is read again, because the file may have been deleted since. */
async function lookFor({ database, stores }: SurveyDeps, tally: Tally, file: SurveyedFile): Promise<void> {
  const sizeBytes = await stores.own.sizeOf(keyOf(file))
  if (sizeBytes === undefined && (await isShown(database, file))) tally.addMissing(file)
}

/**
 * Counts the objects without a row, in steps, because a folder may have millions. Skips objects of the last hour, whose
 * rows may be about to be written.
 */
async function findLoose(
  database: Database,
  folder: string,
  signal: AbortSignal,
): Promise<NonNullable<Findings['loose']>> {
  const loose = { count: 0, bytes: 0 }
  for await (const keys of stepsIn(folder)) {
    signal.throwIfAborted()
    const sizes = await looseIn(database, folder, keys)
    loose.count += sizes.length
    loose.bytes += sizes.reduce((sum, bytes) => sum + bytes, 0)
  }
  return loose
}

/** Yields the keys of a folder's objects in steps, tenant by tenant. */
async function* stepsIn(folder: string): AsyncIterable<FileKey[]> {
  let keys: FileKey[] = []
  for await (const key of keysIn(folder)) {
    if (keys.push(key) < SURVEY_STEP) continue
    yield keys
    keys = []
  }
  yield keys
}

async function* keysIn(folder: string): AsyncIterable<FileKey> {
  for await (const tenantId of namesIn(folder))
    for await (const id of namesIn(join(folder, tenantId))) yield { tenant_id: tenantId, id }
}

async function looseIn(database: Database, folder: string, keys: readonly FileKey[]): Promise<number[]> {
  const known = new Set((await findKnown(database, keys)).map(({ id }) => id))
  const sizes: number[] = []
  for (const { tenant_id, id } of keys.filter((key) => !known.has(key.id))) {
    const found = await unlessGone(stat(join(folder, tenant_id, id)))
    if (found !== undefined && found.mtimeMs < Date.now() - HOUR_MS) sizes.push(found.size)
  }
  return sizes
}

/** Yields the names in a folder that are UUIDs, like those of the server's own files. Skips files of other programs. */
async function* namesIn(folder: string): AsyncIterable<string> {
  const entries = await unlessGone(opendir(folder))
  if (entries === undefined) return
  for await (const { name } of entries) if (UUID.test(name)) yield name
}

/** Returns undefined for a missing file: a sweep may delete files while they are counted. Throws all other errors. */
async function unlessGone<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
}
