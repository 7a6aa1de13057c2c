import type { LineState } from './delay-trend.ts'

/** Below the rate that arrived while a queue grew, so that the queue empties. */
const DECREASE = 0.85
const INCREASE_PER_SECOND = 1.08
/** Near the rate of the last overuse, the rate grows by about a packet in each response time. */
const NEAR_INCREASE_BPS = 32_000
/** A line that carries more than this share of its known capacity has become faster. */
const IS_FASTER = 1.25
const MIN_MS_BETWEEN_FALLS = 200
/** Only what arrives has been tried, but a sender in layers needs 3.6 times as much before it begins the next one. */
const MAX_HEADROOM = 3.5
const HEADROOM_BPS = 200_000

export interface RateLimits {
  readonly minBps: number
  readonly maxBps: number
}

/** Turns the state of a line into a rate: draft-ietf-rmcat-gcc-02, 5.5. It begins at the highest. */
export class RateControl {
  bps: number
  readonly #limits: RateLimits
  /** The rate at which the line was last full; undefined before, and when it has become faster. */
  #capacityBps: number | undefined
  #hasFallen = false
  #isHeld = false
  #updatedAt: number | undefined
  #fellAt = Number.NEGATIVE_INFINITY

  constructor(limits: RateLimits) {
    this.#limits = limits
    this.bps = limits.maxBps
  }

  /** @param arrivingBps the measured rate */
  update(state: LineState, arrivingBps: number, nowMs: number): void {
    const seconds = Math.min(1, (nowMs - (this.#updatedAt ?? nowMs)) / 1000)
    this.#updatedAt = nowMs
    if (state === 'overused') return this.#fall(arrivingBps, nowMs)
    // While a queue empties, more would fill it again.
    this.#isHeld = state === 'underused' || (this.#isHeld && nowMs - this.#fellAt < MIN_MS_BETWEEN_FALLS)
    if (this.#isHeld || !this.#hasFallen) return
    this.#rise(arrivingBps, seconds)
  }

  #fall(arrivingBps: number, nowMs: number): void {
    if (nowMs - this.#fellAt < MIN_MS_BETWEEN_FALLS) return
    this.#fellAt = nowMs
    this.#isHeld = true
    this.#hasFallen = true
    this.#capacityBps = arrivingBps
    this.#set(Math.min(this.bps, arrivingBps * DECREASE))
  }

  #rise(arrivingBps: number, seconds: number): void {
    if (arrivingBps > (this.#capacityBps ?? Number.POSITIVE_INFINITY) * IS_FASTER)
      this.#capacityBps = undefined
    const isNear = this.#capacityBps !== undefined && this.bps < this.#capacityBps * IS_FASTER
    const risen = isNear ? this.bps + NEAR_INCREASE_BPS * seconds : this.bps * INCREASE_PER_SECOND ** seconds
    const tried = arrivingBps * MAX_HEADROOM + HEADROOM_BPS
    this.#set(Math.min(risen, Math.max(this.bps, tried)))
  }

  #set(bps: number): void {
    this.bps = Math.min(this.#limits.maxBps, Math.max(this.#limits.minBps, bps))
  }
}
