/** Aborts a request after a time without transferred data. */
export class Silence {
  readonly #ending = new AbortController()
  readonly #timer: NodeJS.Timeout

  constructor(milliseconds: number, reason: () => Error) {
    this.#timer = setTimeout(() => this.#ending.abort(reason()), milliseconds)
  }

  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Restarts the timer, because data was transferred. */
  broken(): void {
    this.#timer.refresh()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
