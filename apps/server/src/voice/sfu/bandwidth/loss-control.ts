/** Shares of lost packets between which the rate stays. */
const LITTLE = 0.02
const MUCH = 0.1
/** A line that loses so much is full, and what arrives is what it carries. */
const FULL = 0.25
const INCREASE = 1.08
/** A smaller number of packets says little about losses. */
export const MIN_LOSS_PACKETS = 20
/** The losses of this time are those before the last decrease. */
const MIN_MS_BETWEEN_DECREASES = 1500

/** The rate that losses allow: draft-ietf-rmcat-gcc-02, 6. Without much loss there is no limit. */
export class LossControl {
  bps = Number.POSITIVE_INFINITY
  readonly #minBps: number
  readonly #maxBps: number
  #decreasedAt = Number.NEGATIVE_INFINITY

  constructor({ minBps, maxBps }: { minBps: number; maxBps: number }) {
    this.#minBps = minBps
    this.#maxBps = maxBps
  }

  /**
   * Called about once a second.
   * @param share of the packets that were lost
   * @param sentBps the rate at which packets were sent, also those that were lost
   */
  update(share: number, sentBps: number, nowMs: number): void {
    if (share > MUCH) return this.#decrease(share, sentBps, nowMs)
    if (share > LITTLE) return
    this.bps *= INCREASE
    if (this.bps > this.#maxBps) this.bps = Number.POSITIVE_INFINITY
  }

  #decrease(share: number, sentBps: number, nowMs: number): void {
    if (nowMs - this.#decreasedAt < MIN_MS_BETWEEN_DECREASES) return
    this.#decreasedAt = nowMs
    const decreased = share > FULL ? sentBps * (1 - share) : Math.min(this.bps, sentBps) * (1 - share / 2)
    this.bps = Math.max(this.#minBps, Math.min(this.bps, decreased))
  }
}
