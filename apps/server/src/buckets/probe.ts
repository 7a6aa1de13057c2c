import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { keyOf } from '#src/files/rows.ts'
import type { Connection, Stores } from '#src/files/stores.ts'
import type { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import type { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { OutgoingError } from '#src/kernel/outgoing/outgoing-error.ts'
import { type ObjectStore, StoreError } from '#src/kernel/storage/object-store.ts'
import type { TempFolder } from '#src/kernel/temp-folder.ts'
import { isPageAllowed, type PageUpload } from './preflight.ts'
import type { Sample } from './queries.ts'
import { invalidStorage } from './settings.ts'

export interface ProbeDeps {
  stores: Stores
  outgoing: Outgoing
  tempFolder: TempFolder
}

export interface Probe {
  bucket: Connection & { tenant_id: string }
  /** Of the page from which people upload. */
  origin: string
  /** Files that have to be there. */
  samples: readonly Sample[]
}

const PROBE_TIMEOUT_MS = 10_000
/** A refusal takes at least this long: how soon it is known would tell inner names and addresses from others. */
const MIN_REFUSAL_MS = 1500
const PROBE_BYTES = 32
const PREFLIGHT_SECONDS = 60

/**
 * Tries all that the server will do with the bucket, and what browsers will.
 * @returns whether browsers can upload to it themselves
 * @throws ApiError 400 with what does not work
 */
export async function probeBucket(deps: ProbeDeps, probe: Probe): Promise<boolean> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(invalidStorage('the bucket did not answer in time')),
    PROBE_TIMEOUT_MS,
  )
  const earliest = delay(MIN_REFUSAL_MS, undefined, { ref: false })
  try {
    const upload = await Promise.race([tryBucket(deps, probe), late])
    // A bucket that the server reaches is good enough: silence is no leave for browsers.
    return await Promise.race([isPageAllowed(deps.outgoing, upload), late.catch(() => false)])
  } catch (error) {
    await earliest
    throw asAnswer(error)
  } finally {
    clearTimeout(timer)
  }
}

/** @returns the upload for which a page of ours would ask */
async function tryBucket(deps: ProbeDeps, { bucket, origin, samples }: Probe): Promise<PageUpload> {
  const store = deps.stores.open(deps.stores.settingsOf(bucket))
  const key = newKey(bucket.tenant_id)
  await tryObject(deps, store, key)
  for (const sample of samples) {
    const size = await store.sizeOf(keyOf(sample))
    if (size !== sample.size_bytes) throw invalidStorage('the files that the bucket holds are not there')
  }
  const file = { sizeBytes: 1, contentType: 'text/plain' }
  return { origin, upload: await store.presignUpload(key, file, PREFLIGHT_SECONDS) }
}

async function tryObject({ tempFolder }: ProbeDeps, store: ObjectStore, key: string): Promise<void> {
  const bytes = randomBytes(PROBE_BYTES)
  const folder = await tempFolder.create()
  try {
    const path = join(folder, 'probe')
    await writeFile(path, bytes)
    await store.put(key, { path, sizeBytes: PROBE_BYTES, contentType: 'application/octet-stream' })
    await checkKept(store, key, bytes)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  await store.delete(key)
}

async function checkKept(store: ObjectStore, key: string, bytes: Buffer): Promise<void> {
  try {
    const kept = await firstBytes(store, key)
    if (!kept.equals(bytes)) throw invalidStorage('the bucket does not give back what was stored in it')
  } catch (error) {
    await store.delete(key).catch(() => undefined)
    throw error
  }
}

/** Whatever it is that answers, no more of it is read than the object has. */
async function firstBytes(store: ObjectStore, key: string): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of await store.read(key)) {
    parts.push(part)
    length += part.length
    if (length > PROBE_BYTES) break
  }
  return Buffer.concat(parts)
}

/** Of the same form as all others: credentials may be good for some keys only. */
function newKey(tenantId: string): string {
  return keyOf({ tenant_id: tenantId, id: newId() })
}

/**
 * Explains why there is no answer, in the same words wherever there can be none: else anybody with a space could ask which names
 * and addresses the server's network has.
 */
function unanswered({ reason, message }: OutgoingError): ApiError {
  const isUnreached = reason === 'blocked' || reason === 'unreachable'
  return invalidStorage(isUnreached ? 'the endpoint could not be reached' : message)
}

function asAnswer(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error
  return error.cause instanceof OutgoingError ? unanswered(error.cause) : invalidStorage(error.message)
}
