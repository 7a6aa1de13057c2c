import type { Logger } from 'pino'

/** Minimum time between two batches of changes. */
const BATCH_INTERVAL_MS = 1000
/** Delay that lets related changes join the same batch. */
const BATCH_DELAY_MS = 50

interface ListWork {
  log: Logger
  sendChanges(): Promise<void>
  /** True if a client sees the list. */
  isWanted(): boolean
}

/** Runs the look-ups and updates of a list, one after the other. */
export class ListTurns {
  readonly #work: ListWork
  #last: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #sentAt = Number.NEGATIVE_INFINITY

  constructor(work: ListWork) {
    this.#work = work
  }

  /** Runs work after the previous work, even if that failed. Failed work is retried while a client views the list. */
  take(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {
      if (this.#work.isWanted()) this.sendSoon()
    })
    return done
  }

  sendSoon(): void {
    const now = performance.now()
    const delayMs = Math.max(BATCH_DELAY_MS, this.#sentAt + BATCH_INTERVAL_MS - now)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#sentAt = performance.now()
      this.take(() => this.#work.sendChanges()).catch((error) => this.fail(error))
    }, delayMs).unref()
  }

  fail(error: unknown): void {
    this.#work.log.error({ err: error }, 'a member list could not be updated')
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}
