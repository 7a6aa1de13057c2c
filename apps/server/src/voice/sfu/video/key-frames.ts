const MIN_MS_BETWEEN_REQUESTS = 500
/** A stream that has stopped is not asked. */
const MAX_SILENCE_MS = 2000
/** A stream that needs more requests than these is left alone for a while, if there is another one. */
const MAX_UNANSWERED = 4
const PAUSE_MS = 10_000

/** The requests of all viewers of a stream for a key frame, joined into one that is repeated until it comes. */
export class KeyFrames {
  #isWanted = false
  #askedAt = Number.NEGATIVE_INFINITY
  #unanswered = 0
  #receivedAt = Number.NEGATIVE_INFINITY

  want(): void {
    this.#isWanted = true
  }

  /** Nobody receives the stream any more. */
  forgo(): void {
    this.#isWanted = false
  }

  receive(isKeyFrame: boolean, nowMs: number): void {
    this.#receivedAt = nowMs
    if (!isKeyFrame) return
    this.#isWanted = false
    this.#unanswered = 0
  }

  /** Returns whether to ask for one now. */
  isDue(nowMs: number): boolean {
    const isEarly = nowMs - this.#askedAt < MIN_MS_BETWEEN_REQUESTS
    if (!this.#isWanted || isEarly || nowMs - this.#receivedAt > MAX_SILENCE_MS) return false
    this.#askedAt = nowMs
    this.#unanswered += 1
    return true
  }

  /** Returns whether its sender does not answer the requests. */
  areIgnored(nowMs: number): boolean {
    return this.#unanswered > MAX_UNANSWERED && nowMs - this.#askedAt < PAUSE_MS
  }
}
