const MIN_MS_BETWEEN_REQUESTS = 500
/** A stream without packets for this long has stopped, and is sent no requests. */
const MAX_SILENCE_MS = 2000
/** After more unanswered requests than this, the stream is avoided for PAUSE_MS if its picture has another layer. */
const MAX_UNANSWERED = 4
const PAUSE_MS = 10_000

/** Combines the key frame requests of a stream's viewers into one, which is repeated until a key frame comes. */
export class KeyFrames {
  #isWanted = false
  #askedAt = Number.NEGATIVE_INFINITY
  #unanswered = 0
  #receivedAt = Number.NEGATIVE_INFINITY

  want(): void {
    this.#isWanted = true
  }

  /** Withdraws the request: nobody receives the stream any longer. */
  forgo(): void {
    this.#isWanted = false
  }

  receive(isKeyFrame: boolean, nowMs: number): void {
    this.#receivedAt = nowMs
    if (!isKeyFrame) return
    this.#isWanted = false
    this.#unanswered = 0
  }

  /** Returns whether to request a key frame now, and counts the request. */
  isDue(nowMs: number): boolean {
    const isEarly = nowMs - this.#askedAt < MIN_MS_BETWEEN_REQUESTS
    if (!this.#isWanted || isEarly || nowMs - this.#receivedAt > MAX_SILENCE_MS) return false
    this.#askedAt = nowMs
    this.#unanswered += 1
    return true
  }

  /** Returns whether the sender of the stream ignores the requests. */
  areIgnored(nowMs: number): boolean {
    return this.#unanswered > MAX_UNANSWERED && nowMs - this.#askedAt < PAUSE_MS
  }
}
