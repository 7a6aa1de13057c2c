/** Opus has 50 packets a second, at most 100 in browsers, of up to 510 kbit/s. */
const PACKETS_PER_SECOND = 150
const BYTES_PER_SECOND = 80_000
/** Networks do not delay and then release this much. Such a sender is hostile, and reading it costs the others. */
const FLOOD_PACKETS_PER_SECOND = 1500

export type ArrivalDecision = 'pass' | 'over' | 'flood'

/** Limits the media and reports of one client: a burst of one second's worth, refilled over time. */
export class ArrivalLimits {
  #packets = PACKETS_PER_SECOND
  #bytes = BYTES_PER_SECOND
  #filledAt: number
  #secondBegan: number
  #inSecond = 0

  constructor(nowMs: number) {
    this.#filledAt = nowMs
    this.#secondBegan = nowMs
  }

  check(bytes: number, nowMs: number): ArrivalDecision {
    if (this.#isFlood(nowMs)) return 'flood'
    this.#fill(nowMs)
    if (this.#packets < 1 || this.#bytes < bytes) return 'over'
    this.#packets -= 1
    this.#bytes -= bytes
    return 'pass'
  }

  #isFlood(nowMs: number): boolean {
    if (nowMs - this.#secondBegan >= 1000) {
      this.#secondBegan = nowMs
      this.#inSecond = 0
    }
    this.#inSecond += 1
    return this.#inSecond > FLOOD_PACKETS_PER_SECOND
  }

  #fill(nowMs: number): void {
    const seconds = (nowMs - this.#filledAt) / 1000
    this.#filledAt = nowMs
    this.#packets = Math.min(PACKETS_PER_SECOND, this.#packets + seconds * PACKETS_PER_SECOND)
    this.#bytes = Math.min(BYTES_PER_SECOND, this.#bytes + seconds * BYTES_PER_SECOND)
  }
}
