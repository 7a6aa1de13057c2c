import type { GroupTimes } from './arrival-groups.ts'

/** State of the network path. `overused`: packets wait longer and longer, `underused`: a queue empties. */
export type LineState = 'normal' | 'overused' | 'underused'

const WINDOW = 20
const SMOOTHING = 0.9
const MAX_COUNT = 60
/** Scales the slope to the range of the threshold. */
const GAIN = 4
const THRESHOLD = { first: 12.5, min: 6, max: 600 }
/** Share of the distance to the trend by which the threshold moves per millisecond, if the trend is above it or below it. */
const FOLLOW = { above: 0.0087, below: 0.039 }
/** A trend that exceeds the threshold by more than this is not noise, so the threshold does not follow it. */
const MAX_NOISE = 15
const OVERUSE_MS = 10

interface Sample {
  readonly atMs: number
  readonly delayMs: number
}

/**
 * Detects growing delays by the slope of a regression line through the latest samples. The threshold adapts, so that a flow keeps
 * its share of a link on which other flows fill the queue: draft-ietf-rmcat-gcc-02, 5.4.
 */
export class DelayTrend {
  readonly #samples: Sample[] = []
  #count = 0
  #delayMs = 0
  #smoothedMs = 0
  #threshold = THRESHOLD.first
  #adaptedAt = 0
  #overusedMs = 0
  #overuses = 0
  #slope = 0

  update({ sentMs, arrivedMs }: GroupTimes, nowMs: number): LineState {
    this.#count = Math.min(MAX_COUNT, this.#count + 1)
    this.#delayMs += arrivedMs - sentMs
    this.#smoothedMs = SMOOTHING * this.#smoothedMs + (1 - SMOOTHING) * this.#delayMs
    this.#samples.push({ atMs: nowMs, delayMs: this.#smoothedMs })
    if (this.#samples.length > WINDOW) this.#samples.shift()
    const slope = this.#samples.length < WINDOW ? 0 : slopeOf(this.#samples)
    const state = this.#detect(slope, sentMs)
    this.#adapt(Math.abs(this.#strengthOf(slope)), nowMs)
    this.#slope = slope
    return state
  }

  #strengthOf(slope: number): number {
    return this.#count * slope * GAIN
  }

  /** One peak is no overuse: the delay must keep growing for a while. */
  #detect(slope: number, sentMs: number): LineState {
    const strength = this.#strengthOf(slope)
    if (strength <= this.#threshold) {
      this.#overusedMs = 0
      this.#overuses = 0
      return strength < -this.#threshold ? 'underused' : 'normal'
    }
    this.#overusedMs += this.#overuses === 0 ? sentMs / 2 : sentMs
    this.#overuses += 1
    const isOveruse = this.#overusedMs > OVERUSE_MS && this.#overuses > 1 && slope >= this.#slope
    if (!isOveruse) return 'normal'
    this.#overusedMs = 0
    this.#overuses = 0
    return 'overused'
  }

  #adapt(strength: number, nowMs: number): void {
    const passedMs = this.#adaptedAt === 0 ? 0 : Math.min(100, nowMs - this.#adaptedAt)
    this.#adaptedAt = nowMs
    if (strength > this.#threshold + MAX_NOISE) return
    const follow = strength > this.#threshold ? FOLLOW.above : FOLLOW.below
    const threshold = this.#threshold + follow * (strength - this.#threshold) * passedMs
    this.#threshold = Math.min(THRESHOLD.max, Math.max(THRESHOLD.min, threshold))
  }
}

/** Returns the slope of the regression line (least squares). */
function slopeOf(samples: readonly Sample[]): number {
  const meanAt = samples.reduce((sum, { atMs }) => sum + atMs, 0) / samples.length
  const meanDelay = samples.reduce((sum, { delayMs }) => sum + delayMs, 0) / samples.length
  let above = 0
  let below = 0
  for (const { atMs, delayMs } of samples) {
    above += (atMs - meanAt) * (delayMs - meanDelay)
    below += (atMs - meanAt) ** 2
  }
  return below === 0 ? 0 : above / below
}
