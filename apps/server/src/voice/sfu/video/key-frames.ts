const MIN_MS_BETWEEN_REQUESTS = 500
/** A stream that has stopped is not asked. */
const MAX_SILENCE_MS = 2000

/** The requests of all viewers of a stream for a key frame, joined into one that is repeated until it comes. */
export class KeyFrames {
  #isWanted = false
  #askedAt = Number.NEGATIVE_INFINITY
  #receivedAt = Number.NEGATIVE_INFINITY

  want(): void {
    this.#isWanted = true
  }

  receive(isKeyFrame: boolean, nowMs: number): void {
    this.#receivedAt = nowMs
    if (isKeyFrame) this.#isWanted = false
  }

  /** Returns whether to ask for one now. */
  isDue(nowMs: number): boolean {
    const isEarly = nowMs - this.#askedAt < MIN_MS_BETWEEN_REQUESTS
    if (!this.#isWanted || isEarly || nowMs - this.#receivedAt > MAX_SILENCE_MS) return false
    this.#askedAt = nowMs
    return true
  }
}
