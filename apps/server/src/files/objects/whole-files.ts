import { createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { addAbortSignal, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Database } from '#src/kernel/database/database.ts'
import type { FormSpace } from '#src/kernel/http/bodies/form-space.ts'
import { writing } from '#src/kernel/storage/file-faults.ts'
import { type ObjectStore, StoreError } from '#src/kernel/storage/object-store.ts'
import type { TempFolder } from '#src/kernel/temp-folder.ts'
import { STREAM_TIMEOUT_MS } from './copies.ts'
import { findBucket } from './queries.ts'
import { type FileRow, keyOf } from './rows.ts'
import type { Stores } from './stores.ts'

export interface WholeFileDeps {
  database: Database
  stores: Stores
  /** Folder for files until they are complete. */
  tempFolder: TempFolder
  formSpace: Pick<FormSpace, 'checkDisk'>
  /** Time limits for one file, and for the files in buckets together. */
  readingTimes?: { fileMs: number; allMs: number }
}

/** The reason why a file cannot be read: it was deleted, or its storage fails. */
export type NotRead = 'deleted' | 'storage'

const TIMES = { fileMs: STREAM_TIMEOUT_MS, allMs: 30 * 60_000 }

/**
 * Reads files for one archive. People use their own buckets, so an answer may never end, break off or be very slow: a
 * file is returned only once it is completely on this disk, and buckets have half an hour in total.
 */
export class WholeFiles {
  readonly #deps: WholeFileDeps
  readonly #signal: AbortSignal
  readonly #fileMs: number
  #leftMs: number

  /** @param signal aborts the reading */
  constructor(deps: WholeFileDeps, signal: AbortSignal) {
    this.#deps = deps
    this.#signal = signal
    const { fileMs, allMs } = deps.readingTimes ?? TIMES
    this.#fileMs = fileMs
    this.#leftMs = allMs
  }

  /**
   * Returns the bytes of a file, which the caller reads to its end or destroys.
   * @throws ApiError 507 if the disk has no room for it
   */
  async open(file: FileRow): Promise<Readable | NotRead> {
    if (file.state !== 'live') return 'deleted'
    const bucket = await findBucket(this.#deps.database, file.tenant_id, file.bucket_id)
    // Files of a deleted space are no longer readable.
    if (bucket === undefined || bucket.deleted_at !== null) return 'deleted'
    if (file.size_bytes === 0) return Readable.from([])
    // Twice its size: the file itself, and its copy in the archive.
    await this.#deps.formSpace.checkDisk(2 * file.size_bytes)
    const store = this.#deps.stores.of(bucket)
    if (bucket.kind !== 's3') return this.#spool(store, file, this.#fileMs)
    const beganAt = performance.now()
    try {
      return await this.#spool(store, file, Math.min(this.#fileMs, this.#leftMs))
    } finally {
      this.#leftMs -= performance.now() - beganAt
    }
  }

  async #spool(store: ObjectStore, file: FileRow, timeMs: number): Promise<Readable | NotRead> {
    if (timeMs <= 0) return 'storage'
    const folder = await this.#deps.tempFolder.create()
    try {
      const path = join(folder, 'file')
      const missing = await this.#fetch(store, file, { path, timeMs })
      // An open file can be read after its name was deleted.
      return missing ?? (await open(path)).createReadStream()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async #fetch(
    store: ObjectStore,
    file: FileRow,
    { path, timeMs }: { path: string; timeMs: number },
  ): Promise<NotRead | undefined> {
    const deadline = AbortSignal.timeout(timeMs)
    const signal = AbortSignal.any([this.#signal, deadline])
    const source = new Source(store, file)
    try {
      await writing(() =>
        pipeline(source.bytes(signal), createWriteStream(path, { mode: 0o600 }), { signal }),
      )
      return undefined
    } catch (error) {
      this.#signal.throwIfAborted()
      if (source.failure === undefined && !deadline.aborted) throw error
      return source.failure === 'missing' ? 'deleted' : 'storage'
    }
  }
}

/** Reads the bytes of a file from a store, and records the kind of failure if they end early. */
class Source {
  failure: 'missing' | 'broken' | undefined
  readonly #store: ObjectStore
  readonly #file: FileRow

  constructor(store: ObjectStore, file: FileRow) {
    this.#store = store
    this.#file = file
  }

  async *bytes(signal: AbortSignal): AsyncGenerator<Buffer> {
    let body: Readable | undefined
    try {
      body = addAbortSignal(signal, await this.#open())
      yield* this.#checked(body)
    } catch (error) {
      const isStores = error instanceof StoreError
      if (isStores && error.fault === 'missing') this.failure = 'missing'
      else if (isStores || body !== undefined) this.failure = 'broken'
      throw error
    }
  }

  /** Reads the file as a range, so that a storage cannot send more than its size. */
  #open(): Promise<Readable> {
    return this.#store.read(keyOf(this.#file), { start: 0, end: this.#file.size_bytes - 1 })
  }

  async *#checked(body: Readable): AsyncGenerator<Buffer> {
    const { size_bytes: sizeBytes } = this.#file
    let read = 0
    for await (const chunk of body) {
      read += chunk.length
      if (read > sizeBytes) break
      yield chunk
    }
    if (read !== sizeBytes) throw new StoreError('unreachable', 'the storage gave another size')
  }
}
