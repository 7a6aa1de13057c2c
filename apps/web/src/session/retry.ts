const FIRST_DELAY_MS = 2_000
const LAST_DELAY_MS = 60_000
/** However long the server asks to wait; what is beyond 24 days no timer can hold. */
const MAX_ASKED_MS = 3_600_000

/** Tries again later what did not get through, after twice as long each time. */
export class Retry {
  #delayMs = FIRST_DELAY_MS
  #timer: ReturnType<typeof setTimeout> | undefined
  #isAsked = false

  /** The server asked to wait, and that time is not over: who does not know better waits. */
  get isAsked(): boolean {
    return this.#isAsked
  }

  /** @param askedMs as long as the server asked to wait at least */
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

  /** Something got through: what fails next is tried again soon. */
  reset(): void {
    this.cancel()
    this.#delayMs = FIRST_DELAY_MS
  }
}
