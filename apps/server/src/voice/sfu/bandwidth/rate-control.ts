import type { LineState } from './delay-trend.ts'

/** Share of the arriving rate that is kept after an overuse, so that the queue empties. */
const DECREASE = 0.85
const INCREASE_PER_SECOND = 1.08
/** Increase per second near the rate of the last overuse: about one packet per RTT. */
const NEAR_INCREASE_BPS = 32_000
/** A link that carries more than this multiple of its known capacity has become faster. */
const IS_FASTER = 1.25
const MIN_MS_BETWEEN_FALLS = 200
/** Maximum multiple of the arriving rate, because higher rates are untested. Simulcast senders need 3.6 for a new layer. */
const MAX_HEADROOM = 3.5
const HEADROOM_BPS = 200_000

export interface RateLimits {
  readonly minBps: number
  readonly maxBps: number
  /** True if the rate rises only when `raise` is called. */
  readonly isProbed?: boolean
}

/** Computes a rate from the state of the link: draft-ietf-rmcat-gcc-02, 5.5. It begins at the maximum. */
export class RateControl {
  bps: number
  readonly #limits: RateLimits
  /** The rate at which the link was last full; undefined before, and when it has become faster. */
  #capacityBps: number | undefined
  /** True after the first fall or raise. */
  #isKnown = false
  #isHeld = false
  #updatedAt: number | undefined
  #fellAt = Number.NEGATIVE_INFINITY

  constructor(limits: RateLimits) {
    this.#limits = limits
    this.bps = limits.maxBps
  }

  /** @param arrivingBps the measured rate of arriving packets */
  update(state: LineState, arrivingBps: number, nowMs: number): void {
    const seconds = Math.min(1, (nowMs - (this.#updatedAt ?? nowMs)) / 1000)
    this.#updatedAt = nowMs
    if (state === 'overused') return this.#fall(arrivingBps, nowMs)
    // Held while a queue empties: a higher rate would fill it again.
    this.#isHeld = state === 'underused' || (this.#isHeld && nowMs - this.#fellAt < MIN_MS_BETWEEN_FALLS)
    if (this.#isHeld || !this.#isKnown || this.#limits.isProbed) return
    this.#rise(arrivingBps, seconds)
  }

  /**
   * Applies a rate that the link has carried for a moment.
   * @returns that rate within the limits
   */
  raise(bps: number): number {
    const carriedBps = Math.min(this.#limits.maxBps, bps)
    if (!this.#isKnown || carriedBps > this.bps) this.#set(carriedBps)
    this.#isKnown = true
    return carriedBps
  }

  #fall(arrivingBps: number, nowMs: number): void {
    if (nowMs - this.#fellAt < MIN_MS_BETWEEN_FALLS) return
    this.#fellAt = nowMs
    this.#isHeld = true
    this.#isKnown = true
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
