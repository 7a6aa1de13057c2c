import { Cache } from '#src/kernel/cache.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { Bus, Event } from '#src/kernel/journal/bus.ts'
import type { ObjectStore } from '#src/kernel/storage/object-store.ts'
import { findBucket, findFile } from './queries.ts'
import type { FileRow } from './rows.ts'
import type { StorageChange } from './storage-change.ts'
import type { Stores } from './stores.ts'

export interface DownloadFact {
  file: FileRow
  store: ObjectStore
}

const CACHED_FILES = 50_000

/** Caches the file data that downloads need, until an event changes the file or its bucket. */
export class DownloadFacts {
  readonly #deps: { database: Database; stores: Stores; bus: Bus }
  #facts: Cache<DownloadFact | undefined>

  constructor(deps: { database: Database; stores: Stores; bus: Bus }) {
    this.#deps = deps
    this.#facts = this.#empty()
  }

  receive(events: readonly Event[]): void {
    for (const event of events) if (event.name === 'STORAGE_CHANGE') this.#forget(event)
  }

  /** Returns undefined for a file that does not exist, is not shown yet, or was deleted. */
  find(attachmentId: string): Promise<DownloadFact | undefined> {
    return this.#facts.get(attachmentId)
  }

  #forget({ data }: Event): void {
    const { attachment_ids = [], bucket_id }: StorageChange = JSON.parse(data)
    for (const id of attachment_ids) this.#facts.drop(id)
    if (bucket_id !== undefined) this.#facts = this.#empty()
  }

  #empty(): Cache<DownloadFact | undefined> {
    return new Cache(CACHED_FILES, this.#deps.bus.freshness, (id) => this.#load(id))
  }

  async #load(id: string): Promise<DownloadFact | undefined> {
    const { database, stores } = this.#deps
    const file = await findFile(database, id)
    if (file?.state !== 'live') return undefined
    const bucket = await findBucket(database, file.tenant_id, file.bucket_id)
    // The files of a deleted bucket are marked deleted later, one by one. Until then they are live, but cannot be read.
    if (bucket === undefined || bucket.deleted_at !== null) return undefined
    return { file, store: stores.of(bucket) }
  }
}
