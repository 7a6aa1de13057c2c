import type { AutomodHit } from '@foyer/protocol/automod'
import type { Logger } from 'pino'
import type { Database } from '#src/kernel/database/database.ts'
import { insertHits } from './queries.ts'

const WRITE_EVERY_MS = 500
/**
 * Maximum hits that wait to be written. Further hits are dropped, so that a rule that catches everything does not
 * slow down senders.
 */
const MAX_WAITING = 5000

interface Deps {
  database: Database
  log: Pick<Logger, 'warn'>
}

/** Records hits of rules in test mode, in batches. They stop nothing, so senders do not wait for them. */
export class TestHits {
  readonly #deps: Deps
  #waiting: AutomodHit[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  note(hits: readonly AutomodHit[]): void {
    this.#waiting.push(...hits.slice(0, MAX_WAITING - this.#waiting.length))
    this.#timer ??= setTimeout(() => this.#write(), WRITE_EVERY_MS)
  }

  /** Writes the waiting hits, when the process stops. */
  async close(): Promise<void> {
    this.#write()
    await this.#writing
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const hits = this.#waiting
    this.#waiting = []
    if (hits.length === 0) return
    this.#writing = this.#writing
      .then(() => insertHits(this.#deps.database, hits))
      .catch((error: unknown) => {
        this.#deps.log.warn({ err: error, hits: hits.length }, 'hits of automod rules in test mode are lost')
      })
  }
}
