import type { TabLocks } from './wire.ts'

interface ElectionParts {
  readonly locks: TabLocks
  readonly name: string
  /** This tab has the lead. */
  readonly won: () => void
  /** It has it no more: another tab took it, because this one did not answer. */
  readonly lost: () => void
}

/** Which of a session's tabs has the lead: who holds the lock, which the browser frees when the tab is gone. */
export class Election {
  readonly #parts: ElectionParts
  #waiting = new AbortController()
  #release: (() => void) | undefined

  constructor(parts: ElectionParts) {
    this.#parts = parts
  }

  /** Leads as soon as nobody else does. */
  stand(): void {
    this.#waiting = new AbortController()
    void this.#request({ signal: this.#waiting.signal })
  }

  /** Takes the lead from a tab that does not answer: browsers freeze those that nobody looks at. */
  usurp(): void {
    if (this.#release !== undefined) return
    this.#waiting.abort()
    void this.#request({ steal: true })
  }

  /** Leaves the lead to others, and does not stand for it any more. */
  withdraw(): void {
    this.#waiting.abort()
    this.#release?.()
    this.#release = undefined
  }

  async #request(options: LockOptions): Promise<void> {
    const { locks, name, won, lost } = this.#parts
    const term = Promise.withResolvers<void>()
    const isStanding = this.#waiting
    try {
      await locks.request(name, options, () => {
        // Withdrawn while it was being granted.
        if (options.signal?.aborted === true) return
        this.#release = term.resolve
        won()
        return term.promise
      })
    } catch (error) {
      const isRefused = !(error instanceof DOMException) || error.name !== 'AbortError'
      // Where the browser withholds locks from the page, it is alone.
      if (isRefused) won()
      if (this.#release !== term.resolve) return
      this.#release = undefined
      lost()
      if (this.#waiting === isStanding) this.stand()
    }
  }
}
