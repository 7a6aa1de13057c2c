/** Aborts a request after too long a silence, unless data is being transferred. */
export class Silence {
  readonly #ending = new AbortController()
  readonly #timer: NodeJS.Timeout

  constructor(milliseconds: number, reason: () => Error) {
    this.#timer = setTimeout(() => this.#ending.abort(reason()), milliseconds)
  }

  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Starts the time again. */
  broken(): void {
    this.#timer.refresh()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
