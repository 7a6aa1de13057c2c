import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { MAX_ACKNOWLEDGEMENT_MS } from './acknowledgements.ts'
import { deleteCutOff, saveCutOff } from './cut-off-queries.ts'

/** Duration of an absence after which it is announced. Most are shorter. */
const ANNOUNCE_AFTER_MS = 1000
/** Time within which every process reads unpublished events from the journal, or detects that it has to. */
export const RECEIVED_BY_ALL_MS = 2000

export interface AbsenceDeps {
  processId: string
  database: Database
  log: Logger
}

/** Announces in the database that this process cannot reach Valkey. Other processes have no other way to know. */
export class Absence {
  readonly #deps: AbsenceDeps
  /** Start of the absence, in milliseconds since 1970, and by `performance.now()`. */
  #began: { wall: number; monotonic: number } | undefined
  /** Time of the first announcement, by `performance.now()`. */
  #announcedAt = Number.POSITIVE_INFINITY
  #announcing: Promise<void> | undefined

  constructor(deps: AbsenceDeps) {
    this.#deps = deps
  }

  get hasBegun(): boolean {
    return this.#began !== undefined
  }

  begin(): void {
    this.#began ??= { wall: Date.now(), monotonic: performance.now() }
  }

  /** Must be called regularly. Never rejects, and need not be awaited: the journal is read in the meantime. */
  announce(): void {
    const began = this.#began
    if (began === undefined || performance.now() - began.monotonic < ANNOUNCE_AFTER_MS) return
    const { processId, database } = this.#deps
    const announce = async () => {
      await saveCutOff(database, { id: processId, lost_since: began.wall })
      if (this.#began === began) this.#announcedAt = Math.min(this.#announcedAt, performance.now())
    }
    this.#announcing ??= this.#attempt(announce).finally(() => {
      this.#announcing = undefined
    })
  }

  /** Ends the absence. The next beats announce the events that were committed during it as lost. Never rejects. */
  async end(): Promise<void> {
    const wasAnnounced = this.#announcing !== undefined || this.#announcedAt < Number.POSITIVE_INFINITY
    this.#began = undefined
    this.#announcedAt = Number.POSITIVE_INFINITY
    await this.#announcing
    if (wasAnnounced) await this.#attempt(() => deleteCutOff(this.#deps.database, this.#deps.processId))
  }

  /** Milliseconds until every process has read the journal for events that this process cannot publish. */
  get untilNoticedMs(): number {
    const now = performance.now()
    const isSilent = now - (this.#began?.monotonic ?? now) > MAX_ACKNOWLEDGEMENT_MS
    return isSilent && now - this.#announcedAt > RECEIVED_BY_ALL_MS
      ? RECEIVED_BY_ALL_MS
      : MAX_ACKNOWLEDGEMENT_MS
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#deps.log.warn(
        { err: error },
        'this process could not announce that it is cut off from the others',
      )
    }
  }
}
