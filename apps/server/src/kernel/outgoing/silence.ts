/** Ends a request that has been waited for too long, unless something is still on its way. */
export class Silence {
  readonly #ending = new AbortController()
  readonly #timer: NodeJS.Timeout

  constructor(milliseconds: number, reason: () => Error) {
    this.#timer = setTimeout(() => this.#ending.abort(reason()), milliseconds)
  }

  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Waits anew. */
  broken(): void {
    this.#timer.refresh()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
