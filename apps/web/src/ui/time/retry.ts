const FIRST_DELAY_MS = 2_000
const LAST_DELAY_MS = 60_000
/** Maximum wait accepted from the server. Timers cannot hold more than 24 days. */
const MAX_ASKED_MS = 3_600_000

/** Repeats a failed attempt. The delay doubles with each failure. */
export class Retry {
  #delayMs = FIRST_DELAY_MS
  #timer: ReturnType<typeof setTimeout> | undefined
  #isAsked = false

  /** True during a wait that the server demanded. */
  get isAsked(): boolean {
    return this.#isAsked
  }

  /** @param askedMs the wait that the server demanded (Retry-After) */
  plan(attempt: () => void, askedMs = 0): void {
    this.cancel()
    this.#isAsked = askedMs > 0
    this.#timer = setTimeout(attempt, Math.max(this.#delayMs, Math.min(MAX_ASKED_MS, askedMs)))
    this.#delayMs = Math.min(LAST_DELAY_MS, this.#delayMs * 2)
  }

  cancel(): void {
    clearTimeout(this.#timer)
    this.#isAsked = false
  }

  /** Called after a success, so that the next failure is retried after the shortest delay again. */
  reset(): void {
    this.cancel()
    this.#delayMs = FIRST_DELAY_MS
  }
}
