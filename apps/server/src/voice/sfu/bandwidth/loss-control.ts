/** Shares of lost packets. Below LITTLE the rate rises, above MUCH it falls, and between them it stays. */
const LITTLE = 0.02
const MUCH = 0.1
/** A link that loses more than this share is full: it carries no more than the rate that arrives. */
const FULL = 0.25
const INCREASE = 1.08
/** Packets needed to measure losses. Fewer say little. */
const MIN_PACKETS = 20
/** Number of packets from which any share above MUCH counts, even if it is only slightly above. */
const ENOUGH_PACKETS = 200
/** Number of standard deviations above MUCH beyond which a share is not due to chance. */
const DEVIATIONS = 3
/** Losses reported within this time of a decrease still come from the rate before it. */
const MIN_MS_BETWEEN_DECREASES = 1500

/**
 * Returns whether a share of lost packets can be distinguished from chance. If a link loses 5 % at random, every twentieth sample
 * of 50 packets loses more than a tenth, and the lowered rate would stay low until the link stops losing packets.
 */
export function isLossMeasured(lost: number, expected: number): boolean {
  if (expected < MIN_PACKETS) return false
  const chance = DEVIATIONS * Math.sqrt((MUCH * (1 - MUCH)) / expected)
  const share = lost / expected
  return expected >= ENOUGH_PACKETS || share <= MUCH || share > MUCH + chance
}

/** Limits the rate by losses: draft-ietf-rmcat-gcc-02, 6. Without much loss there is no limit. */
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
   * @param share the share of packets that were lost
   * @param sentBps the rate of sent packets, including those that were lost
   */
  update(share: number, sentBps: number, nowMs: number): void {
    if (share > MUCH) return this.#decrease(share, sentBps, nowMs)
    if (share > LITTLE) return
    this.bps *= INCREASE
    if (this.bps > this.#maxBps) this.bps = Number.POSITIVE_INFINITY
  }

  /** Raises the limit to a rate at which nothing was lost. */
  raise(bps: number): void {
    this.bps = Math.max(this.bps, bps)
  }

  #decrease(share: number, sentBps: number, nowMs: number): void {
    if (nowMs - this.#decreasedAt < MIN_MS_BETWEEN_DECREASES) return
    this.#decreasedAt = nowMs
    const decreased = share > FULL ? sentBps * (1 - share) : Math.min(this.bps, sentBps) * (1 - share / 2)
    this.bps = Math.max(this.#minBps, Math.min(this.bps, decreased))
  }
}
