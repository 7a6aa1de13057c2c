import type { Logger } from 'pino'

/** Minimum delay before a check, because the database's clock may be a little behind this process's. */
const MIN_DELAY_MS = 250
const RETRY_MS = 5000

/** Fails unanswered interactions soon after their deadline, with one timer for the next deadline. */
export class Deadlines {
  readonly #failOverdue: () => Promise<string | undefined>
  readonly #log: Logger
  #timer: ReturnType<typeof setTimeout> | undefined
  #nextAt = Number.POSITIVE_INFINITY
  #running: Promise<void> = Promise.resolve()
  #isClosed = false

  /** @param failOverdue fails overdue interactions and returns the next deadline */
  constructor({ failOverdue, log }: { failOverdue: () => Promise<string | undefined>; log: Logger }) {
    this.#failOverdue = failOverdue
    this.#log = log
  }

  /** Makes sure that deadlines are checked at this time, in milliseconds since 1970. */
  watch(at: number): void {
    if (this.#isClosed || at >= this.#nextAt) return
    clearTimeout(this.#timer)
    this.#nextAt = at
    this.#timer = setTimeout(() => this.#look(), Math.max(MIN_DELAY_MS, at - Date.now())).unref()
  }

  /** Stops checking. Resolves once the check in progress is done. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #look(): void {
    this.#nextAt = Number.POSITIVE_INFINITY
    this.#running = this.#failOverdue().then(
      (next) => {
        if (next !== undefined) this.watch(Date.parse(next))
      },
      (error) => {
        this.#log.error({ err: error }, 'unanswered interactions could not be marked as failed')
        this.watch(Date.now() + RETRY_MS)
      },
    )
  }
}
