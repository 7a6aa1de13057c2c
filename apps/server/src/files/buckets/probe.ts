import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { keyOf } from '#src/files/objects/rows.ts'
import type { Connection, Stores } from '#src/files/objects/stores.ts'
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
  probeTimes: ProbeTimes
}

export interface ProbeTimes {
  readonly timeoutMs: number
  /** Minimum duration of a refusal. Faster refusals would reveal which names and addresses are internal. */
  readonly minRefusalMs: number
}

export const PROBE_TIMES: ProbeTimes = { timeoutMs: 10_000, minRefusalMs: 1500 }

export interface Probe {
  bucket: Connection & { tenant_id: string }
  /** Origin of the page from which people upload. */
  origin: string
  /** Files that must exist there. */
  samples: readonly Sample[]
}

const PROBE_BYTES = 32
const PREFLIGHT_SECONDS = 60

/**
 * Tests everything that the server will do with the bucket, and the browsers' preflight.
 * @returns true if browsers can upload to it directly
 * @throws ApiError 400 with the reason if it does not work
 */
export async function probeBucket(deps: ProbeDeps, probe: Probe): Promise<boolean> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const { timeoutMs, minRefusalMs } = deps.probeTimes
  const timer = setTimeout(() => reject(invalidStorage('the bucket did not answer in time')), timeoutMs)
  const earliest = delay(minRefusalMs, undefined, { ref: false })
  try {
    const upload = await Promise.race([tryBucket(deps, probe), late])
    // The server reaches the bucket, which is enough: without an answer to the preflight, uploads are relayed.
    return await Promise.race([isPageAllowed(deps.outgoing, upload), late.catch(() => false)])
  } catch (error) {
    await earliest
    throw asAnswer(error)
  } finally {
    clearTimeout(timer)
  }
}

/** @returns the upload whose preflight a page would send */
async function tryBucket(deps: ProbeDeps, { bucket, origin, samples }: Probe): Promise<PageUpload> {
  const store = deps.stores.open(deps.stores.settingsOf(bucket))
  const key = newKey(bucket.tenant_id)
  await tryObject(deps, store, key)
  for (const sample of samples) {
    const size = await store.sizeOf(keyOf(sample))
    if (size !== sample.size_bytes)
      throw invalidStorage('the files of the bucket cannot be found with these settings')
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

/** Reads no more than the object's size, even if the storage sends more. */
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

/** Returns a key in the usual form, because credentials may be limited to certain keys. */
function newKey(tenantId: string): string {
  return keyOf({ tenant_id: tenantId, id: newId() })
}

/**
 * Describes a blocked and an unreachable address in the same words: otherwise anyone with a space could scan the server's
 * network.
 */
function unanswered({ reason, message }: OutgoingError): ApiError {
  const isUnreached = reason === 'blocked' || reason === 'unreachable'
  return invalidStorage(isUnreached ? 'the endpoint could not be reached' : message)
}

function asAnswer(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error
  return error.cause instanceof OutgoingError ? unanswered(error.cause) : invalidStorage(error.message)
}
