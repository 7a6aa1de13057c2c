import type { Logger } from 'pino'

/** However near the next one is: the database's clock may be a little behind ours. */
const MIN_DELAY_MS = 250
const RETRY_MS = 5000

/** Gives up what nobody answered, soon after its time: with one timer, set for the interaction that fails first. */
export class Deadlines {
  readonly #failOverdue: () => Promise<string | undefined>
  readonly #log: Logger
  #timer: ReturnType<typeof setTimeout> | undefined
  #nextAt = Number.POSITIVE_INFINITY
  #running: Promise<void> = Promise.resolve()
  #isClosed = false

  /** @param failOverdue gives up what is overdue, and tells when the next one is */
  constructor({ failOverdue, log }: { failOverdue: () => Promise<string | undefined>; log: Logger }) {
    this.#failOverdue = failOverdue
    this.#log = log
  }

  /** Sees to it that somebody looks at this time, in milliseconds since 1970. */
  watch(at: number): void {
    if (this.#isClosed || at >= this.#nextAt) return
    clearTimeout(this.#timer)
    this.#nextAt = at
    this.#timer = setTimeout(() => this.#look(), Math.max(MIN_DELAY_MS, at - Date.now())).unref()
  }

  /** Resolves once nothing is under way any more. */
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
        this.#log.error({ err: error }, 'unanswered interactions could not be given up')
        this.watch(Date.now() + RETRY_MS)
      },
    )
  }
}
