import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Place } from '#src/channels/place.ts'
import { type OpenPool, openPool } from '#src/kernel/sql/pool.ts'
import { listLagging, sortNewWords } from './index-queries.ts'
import { indexBatch, keyOf } from './indexing.ts'
import { inTransaction, queryableOf } from './queryable.ts'

/** Messages written within this time are indexed together. */
const BATCH_WAIT_MS = 200
/** Pause between batches as a multiple of the batch's duration, while there is more to index: senders have priority. */
const REST_FACTOR = 3
const RETRY_MS = 1000
/** Retry delay if another process is indexing the channel. */
const TAKEN_MS = 20
const MAX_CHANNELS = 100
const STATEMENT_TIMEOUT_MS = 30_000
/** Commits do not wait for the disk. A crash may lose the last batches and their marks, which are then indexed again. */
const BEGIN = 'begin; set local synchronous_commit = off'
/** Batches after which pending index entries are merged. Merging several at once writes common words once. */
const MAX_UNSORTED_BATCHES = 3

interface Waiting {
  keys: Set<string>
  resolve: () => void
}

/**
 * Indexes messages after they were written, on its own connection, and never delays senders. Only the channels to look at
 * are in memory. Progress is in the database, so no message is missed after a crash, or while another process indexes the
 * channel.
 */
export class SearchIndexer {
  readonly #opened: OpenPool
  readonly #log: Logger
  readonly #noted = new Map<string, Place>()
  /** Channels of the batch in progress. */
  #inHand: readonly Place[] = []
  /** True if further channels may need indexing. */
  #mayLag = false
  #unsortedBatches = 0
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  readonly #closing = new AbortController()
  /** Aborted when a search begins to wait, to end the current pause early. Replaced when no search waits any more. */
  #hurry = new AbortController()

  constructor({ connection, log }: { connection: pg.ClientConfig; log: Logger }) {
    this.#log = log
    const bounds = { statement_timeout: STATEMENT_TIMEOUT_MS, query_timeout: STATEMENT_TIMEOUT_MS + 1000 }
    // Kept open, so that the first batch after a pause is fast.
    const settings = { ...connection, ...bounds, application_name: 'foyer search index', min: 1, max: 1 }
    this.#opened = openPool(settings, (error) =>
      log.error({ err: error }, 'the search index lost its database'),
    )
  }

  /** Notes channels with new messages. */
  note(places: readonly Place[]): void {
    this.#keep(places)
    this.#start()
  }

  /** Looks in the database for channels to index, after the noted ones and in pages. */
  lookForMore(): void {
    this.#mayLag = true
    this.#start()
  }

  /**
   * Resolves once the channels are indexed up to their current end; without an argument, all noted channels. Skips pauses.
   * Never rejects, but waits while the database is unavailable, so use a time limit.
   */
  caughtUp(places: readonly Place[] = [...this.#noted.values(), ...this.#inHand]): Promise<void> {
    if (places.length === 0) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ keys: new Set(places.map(keyOf)), resolve })
    this.note(places)
    this.#hurry.abort()
    return promise
  }

  /** Ends after the batch in progress. The next start finds the rest. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
    await this.#opened.close()
  }

  #start(): void {
    const hasWork = this.#noted.size > 0 || this.#mayLag
    if (hasWork && !this.#closing.signal.aborted) this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    let rest = BATCH_WAIT_MS
    while (this.#noted.size > 0 || this.#mayLag) {
      await this.#pause(rest)
      if (this.#closing.signal.aborted) break
      rest = await this.#work().catch((error) => this.#fail(error))
    }
    this.#running = undefined
  }

  /** @returns milliseconds to rest */
  async #work(): Promise<number> {
    const startedAt = performance.now()
    let isBehind = true
    const client = await this.#opened.pool.connect()
    try {
      if (this.#noted.size > 0) isBehind = await this.#indexNoted(client)
      else await this.#findLagging(client)
      client.release()
    } catch (error) {
      // Discards the connection. Opening one per second costs little.
      client.release(true)
      throw error
    }
    return isBehind ? (performance.now() - startedAt) * REST_FACTOR : BATCH_WAIT_MS
  }

  async #findLagging(client: pg.PoolClient): Promise<void> {
    const places = await listLagging(queryableOf(client), MAX_CHANNELS)
    this.#keep(places)
    this.#mayLag = places.length > 0
  }

  #keep(places: readonly Place[]): void {
    for (const place of places) this.#noted.set(keyOf(place), place)
  }

  /** @returns true if there may be more to index */
  async #indexNoted(client: pg.PoolClient): Promise<boolean> {
    const places = [...this.#noted.values()].slice(0, MAX_CHANNELS)
    // A channel noted or waited for from now on has newer messages, so it is kept for the next batch.
    for (const place of places) this.#noted.delete(keyOf(place))
    const waiting = [...this.#waiting]
    this.#inHand = places
    const done = new Set<string>()
    try {
      const finished = await inTransaction(client, (transaction) => indexBatch(transaction, places), BEGIN)
      for (const place of finished) done.add(keyOf(place))
    } finally {
      this.#inHand = []
      this.#keep(places.filter((place) => !done.has(keyOf(place))))
    }
    this.#resolve(waiting, done)
    if (done.size === 0) await sleep(TAKEN_MS)
    const isBehind = done.size < places.length || places.length === MAX_CHANNELS
    this.#unsortedBatches += 1
    if (!isBehind || this.#unsortedBatches === MAX_UNSORTED_BATCHES) await this.#sortNewWords(client)
    return isBehind
  }

  async #sortNewWords(client: pg.PoolClient): Promise<void> {
    this.#unsortedBatches = 0
    await sortNewWords(queryableOf(client))
  }

  #resolve(waiting: readonly Waiting[], done: ReadonlySet<string>): void {
    for (const { keys, resolve } of waiting) {
      for (const key of done) keys.delete(key)
      if (keys.size === 0) resolve()
    }
    this.#waiting = this.#waiting.filter(({ keys }) => keys.size > 0)
    if (this.#waiting.length === 0) this.#hurry = new AbortController()
  }

  async #pause(ms: number): Promise<void> {
    const signal = AbortSignal.any([this.#closing.signal, this.#hurry.signal])
    await sleep(ms, undefined, { signal }).catch(() => undefined)
  }

  /** Waits before a retry, even while a search waits, because retrying sooner does not make the database available. */
  async #fail(error: unknown): Promise<number> {
    this.#log.error({ err: error }, 'messages could not be indexed')
    await sleep(RETRY_MS, undefined, { signal: this.#closing.signal }).catch(() => undefined)
    return 0
  }
}
