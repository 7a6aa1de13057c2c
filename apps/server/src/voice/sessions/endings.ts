import type { VoiceEndReason } from '@foyer/protocol/voice'
import type { Logger } from 'pino'

export interface EndingsDeps {
  /** Deletes the states of these sessions that still exist, and publishes their end. */
  endSessions: (sessionIds: readonly string[], reason: VoiceEndReason) => Promise<void>
  log: Logger
}

const RETRY_MS = 1000
/** Sessions per transaction. */
const ENDED_AT_ONCE = 100

/** Ends the states of sessions whose media has ended, retrying while the database is unavailable. */
export class Endings {
  readonly #deps: EndingsDeps
  readonly #due = new Map<string, VoiceEndReason>()
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(deps: EndingsDeps) {
    this.#deps = deps
  }

  /** Queues sessions to end. A session keeps the first reason it was given. */
  add(sessionIds: Iterable<string>, reason: VoiceEndReason): void {
    for (const id of sessionIds) if (!this.#due.has(id)) this.#due.set(id, reason)
    this.#run()
  }

  /** Resolves when the running work is done. Remaining states are left to the sweep for states without media. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #run(): void {
    if (this.#running !== undefined || this.#due.size === 0 || this.#isClosed) return
    clearTimeout(this.#timer)
    this.#running = this.#end()
      .then(
        () => this.#afterwards(0),
        (error) => {
          this.#deps.log.warn({ err: error }, 'voice sessions could not be ended')
          this.#afterwards(RETRY_MS)
        },
      )
      .finally(() => {
        this.#running = undefined
      })
  }

  #afterwards(delayMs: number): void {
    if (this.#isClosed || this.#due.size === 0) return
    this.#timer = setTimeout(() => this.#run(), delayMs).unref()
  }

  async #end(): Promise<void> {
    const due = [...this.#due].slice(0, ENDED_AT_ONCE)
    const byReason = Map.groupBy(due, ([, reason]) => reason)
    for (const [reason, ended] of byReason) {
      const ids = ended.map(([id]) => id)
      await this.#deps.endSessions(ids, reason)
      for (const id of ids) this.#due.delete(id)
    }
  }
}
