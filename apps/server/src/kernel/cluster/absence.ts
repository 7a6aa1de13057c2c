import type { Logger } from 'pino'
import type { Database } from '../database.ts'
import { MAX_ACKNOWLEDGEMENT_MS } from './acknowledgements.ts'
import { deleteCutOff, saveCutOff } from './cut-off-queries.ts'

/** Most absences are over by then, and nobody needs to know. */
const TELL_AFTER_MS = 1000
/** By then every process reads the journal, or has heard that it must. */
export const HEARD_BY_ALL_MS = 2000

export interface AbsenceDeps {
  processId: string
  database: Database
  log: Logger
}

/** For as long as this process does not reach Valkey, it says so in the database: nobody can hear it otherwise. */
export class Absence {
  readonly #deps: AbsenceDeps
  /** In milliseconds since 1970, and of `performance.now()`. */
  #began: { wall: number; monotonic: number } | undefined
  /** When the database first had it, by `performance.now()`. */
  #toldAt = Number.POSITIVE_INFINITY
  #telling: Promise<void> | undefined

  constructor(deps: AbsenceDeps) {
    this.#deps = deps
  }

  get hasBegun(): boolean {
    return this.#began !== undefined
  }

  begin(): void {
    this.#began ??= { wall: Date.now(), monotonic: performance.now() }
  }

  /** To be called every now and then. Never rejects, and is not waited for: the journal is read meanwhile. */
  tell(): void {
    const began = this.#began
    if (began === undefined || performance.now() - began.monotonic < TELL_AFTER_MS) return
    const { processId, database } = this.#deps
    const told = async () => {
      await saveCutOff(database, { id: processId, lost_since: began.wall })
      if (this.#began === began) this.#toldAt = Math.min(this.#toldAt, performance.now())
    }
    this.#telling ??= this.#attempt(told).finally(() => {
      this.#telling = undefined
    })
  }

  /** What was committed meanwhile is told as lost by the beats that come now. Never rejects. */
  async end(): Promise<void> {
    const wasTold = this.#telling !== undefined || this.#toldAt < Number.POSITIVE_INFINITY
    this.#began = undefined
    this.#toldAt = Number.POSITIVE_INFINITY
    await this.#telling
    if (wasTold) await this.#attempt(() => deleteCutOff(this.#deps.database, this.#deps.processId))
  }

  /** By when all read the journal for what this process cannot publish, in milliseconds from now on. */
  get untilNoticedMs(): number {
    const now = performance.now()
    const isSilent = now - (this.#began?.monotonic ?? now) > MAX_ACKNOWLEDGEMENT_MS
    return isSilent && now - this.#toldAt > HEARD_BY_ALL_MS ? HEARD_BY_ALL_MS : MAX_ACKNOWLEDGEMENT_MS
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the others could not be told whether this process hears them')
    }
  }
}
