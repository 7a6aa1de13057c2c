interface Rates {
  readonly packets: number
  readonly bytes: number
  /**
   * Packets per second above which the session ends. No network holds back so many packets and then delivers them at once, so the
   * sender must be hostile.
   */
  readonly flood: number
}

/** Audio per second. Opus sends 50 packets, in browsers at most 100, and up to 510 kbit/s. */
const SOUND: Rates = { packets: 150, bytes: 80_000, flood: 1500 }
/** Video per second: 8 Mbit/s for a camera, a screen with its audio, and RTX packets. */
const PICTURES: Rates = { packets: 1500, bytes: 1_000_000, flood: 5000 }
/** RTCP per second: a viewer of eight pictures reports on each of them, and requests lost packets. */
const REPORTS: Rates = { packets: 300, bytes: 100_000, flood: 3000 }

export type ArrivalDecision = 'pass' | 'over' | 'flood'

/** Returns the limits of one client. If it has no video, its RTCP counts as audio. */
export function newLimits(nowMs: number) {
  return {
    limits: new ArrivalLimits(nowMs),
    pictureLimits: new ArrivalLimits(nowMs, PICTURES),
    reportLimits: new ArrivalLimits(nowMs, REPORTS),
  }
}

/** Limits the packets of one kind from one client: a token bucket that holds one second's worth. */
export class ArrivalLimits {
  readonly #rates: Rates
  #packets: number
  #bytes: number
  #filledAt: number
  #secondBegan: number
  #inSecond = 0

  constructor(nowMs: number, rates: Rates = SOUND) {
    this.#rates = rates
    this.#packets = rates.packets
    this.#bytes = rates.bytes
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
    return this.#inSecond > this.#rates.flood
  }

  #fill(nowMs: number): void {
    const seconds = (nowMs - this.#filledAt) / 1000
    this.#filledAt = nowMs
    const { packets, bytes } = this.#rates
    this.#packets = Math.min(packets, this.#packets + seconds * packets)
    this.#bytes = Math.min(bytes, this.#bytes + seconds * bytes)
  }
}
