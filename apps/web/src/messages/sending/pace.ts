import type { RateLimit } from '@foyer/sdk/rate-limit'

/** Minimum pause that is reported. A shorter pause ends before the user could read about it. */
const MIN_REPORTED_MS = 3_000

/** Pauses the messages of a channel while a rate limit of the server rejects them. */
export class Pace {
  readonly #onPause: (waitMs: number | null) => void
  #until = 0

  /** @param onPause called with the length of a pause when it begins, and with null when it ends */
  constructor(onPause: (waitMs: number | null) => void) {
    this.#onPause = onPause
  }

  /** Pauses when a rate limit is used up, so that the next request is not rejected. */
  keepTo({ remaining, resetAfterMs }: RateLimit): void {
    if (remaining === 0) this.hold(resetAfterMs)
  }

  hold(waitMs: number): void {
    this.#until = Math.max(this.#until, Date.now() + waitMs)
  }

  /** Resolves once the server accepts messages again. */
  async turn(): Promise<void> {
    const waitMs = this.#until - Date.now()
    if (waitMs <= 0) return
    const isReported = waitMs >= MIN_REPORTED_MS
    if (isReported) this.#onPause(waitMs)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    if (isReported) this.#onPause(null)
  }
}
