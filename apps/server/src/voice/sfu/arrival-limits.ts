interface Rates {
  readonly packets: number
  readonly bytes: number
  /** Networks do not delay and then release this much. Such a sender is hostile, and reading it costs the others. */
  readonly flood: number
}

/** Per second. Opus has 50 packets, at most 100 in browsers, of up to 510 kbit/s. */
const SOUND: Rates = { packets: 150, bytes: 80_000, flood: 1500 }
/** 8 Mbit/s: a camera and a screen, the sound of the screen, and packets that are sent again. */
const PICTURES: Rates = { packets: 1500, bytes: 1_000_000, flood: 5000 }
/** A viewer of eight pictures reports on each of them, and asks for what it misses. */
const REPORTS: Rates = { packets: 300, bytes: 100_000, flood: 3000 }

export type ArrivalDecision = 'pass' | 'over' | 'flood'

/** Returns the limits of one client. Without pictures, its reports count as sound. */
export function newLimits(nowMs: number) {
  return {
    limits: new ArrivalLimits(nowMs),
    pictureLimits: new ArrivalLimits(nowMs, PICTURES),
    reportLimits: new ArrivalLimits(nowMs, REPORTS),
  }
}

/** Limits what one client sends of a kind: a burst of one second's worth, refilled over time. */
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
