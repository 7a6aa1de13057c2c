import type { RateLimit } from '@foyer/sdk/rate-limit'

/** Shorter pauses are over before anybody has read about them. */
const WORTH_SAYING_MS = 3_000

/** Holds a channel's messages back while the server takes none. */
export class Pace {
  readonly #onPause: (waitMs: number | null) => void
  #until = 0

  /** @param onPause called with the length of a pause when it begins, and with null when it is over */
  constructor(onPause: (waitMs: number | null) => void) {
    this.#onPause = onPause
  }

  /** Keeps to a limit that has run out, so that the next request is not refused. */
  keepTo({ remaining, resetAfterMs }: RateLimit): void {
    if (remaining === 0) this.hold(resetAfterMs)
  }

  hold(waitMs: number): void {
    this.#until = Math.max(this.#until, Date.now() + waitMs)
  }

  /** Resolves once the server takes more. */
  async turn(): Promise<void> {
    const waitMs = this.#until - Date.now()
    if (waitMs <= 0) return
    const isSaid = waitMs >= WORTH_SAYING_MS
    if (isSaid) this.#onPause(waitMs)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    if (isSaid) this.#onPause(null)
  }
}
