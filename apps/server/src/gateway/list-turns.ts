import type { Logger } from 'pino'

/** Changes are told together, once in so long. */
const TOLD_EVERY_MS = 1000
/** What comes with a change is told with it. */
const TOLD_SOON_MS = 50

interface ListWork {
  log: Logger
  tellChanges(): Promise<void>
  /** Whether anybody looks. */
  isWanted(): boolean
}

/** What is looked up and told of a list, one after the other. */
export class ListTurns {
  readonly #work: ListWork
  #last: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(work: ListWork) {
    this.#work = work
  }

  /** What failed for one does not keep the next from trying, and is tried again for as long as somebody looks. */
  take(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {
      if (this.#work.isWanted()) this.tellSoon()
    })
    return done
  }

  tellSoon(): void {
    const now = performance.now()
    const delayMs = Math.max(TOLD_SOON_MS, this.#toldAt + TOLD_EVERY_MS - now)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#toldAt = performance.now()
      this.take(() => this.#work.tellChanges()).catch((error) => this.fail(error))
    }, delayMs).unref()
  }

  fail(error: unknown): void {
    this.#work.log.error({ err: error }, 'a list of members could not be brought up to date')
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}
