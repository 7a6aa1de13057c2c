import type { NextStep } from './next-step.ts'
import type { ProbeResult } from './probe-cluster.ts'

/** Pause after a probe that has not raised the budget. The pause doubles with each further probe that fills the link. */
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 20_000
/** Pause after a wrong rise: the budget fell again within SETTLING_MS. The pause doubles until a rise lasts. */
const FIRST_WRONG_MS = 4000
const MAX_WRONG_MS = 60_000
const SETTLING_MS = 10_000
/** Pause after any other fall, which means that the link has changed. */
const CHANGED_MS = 2000
/** Pause after a rise, unless probes are bold: a new layer begins with a key frame, and the queue that it causes must be seen first. */
const RISEN_MS = 1000
/** Share of the previous budget. A budget below it counts as a fall; a smaller decrease is noise. */
const IS_FALL = 0.95
/** Time after which a probe without a result is given up. */
const MAX_ANSWER_MS = 2000
/** Maximum multiple of the budget that a probe tries: BOLD while the budget is below IS_WELL_BELOW of `#boldUntilBps`, else CAREFUL. */
const BOLD = 2
const CAREFUL = 1.5
const IS_WELL_BELOW = 0.8
/** A link that carries this multiple of the rate at which it was full has become faster, or was not full. */
const IS_FASTER = 1.1
/**
 * Minimum multiple of the budget for a rise on a full link. Measurements of a full link vary, so a smaller rise does not bring
 * the next probe forward.
 */
const IS_MUCH = 1.1
/** Multiple of the wanted rate that a probe tries, because only a share of the measured rate is used. */
const MARGIN = 1.25
/** Minimum multiple of the budget to try: the result of a lower rate would not raise the budget. */
const IS_USEFUL = 1.08
/** Minimum rate of a probe. At a lower rate, too few packets are sent to measure it. */
const MIN_BPS = 250_000
/** Limits of a probe's duration. Within them, a probe lasts for as long as MIN_BITS take at its rate. */
const MIN_MS = 50
const MAX_MS = 100
const MIN_BITS = 64_000

export interface Budget {
  readonly picturesBps: number
  /** The budget including audio. It does not depend on how many users speak. */
  readonly lineBps: number
}

/** Decides when to probe how much a viewer's link carries, and at which rate. */
export class Probes {
  #pauseMs = FIRST_PAUSE_MS
  #wrongMs = FIRST_WRONG_MS
  #nextAt = Number.NEGATIVE_INFINITY
  #hasBeenFull = false
  /**
   * The rate up to which probes are bold: infinite until the link was full, 0 once a probe has filled it, and after a fall the budget
   * that had lasted until then.
   */
  #boldUntilBps = Number.POSITIVE_INFINITY
  /** The rate at which the link was last full. */
  #fullBps = 0
  #lineBps = 0
  /** Time of the last rise; undefined once it has lasted for SETTLING_MS, or was wrong. */
  #risenAt: number | undefined

  /** Returns the rate of a probe that begins now, in bits per second; undefined if none is due. */
  next(
    { picturesBps, lineBps }: Budget,
    { wantedBps, bestBps }: NextStep,
    nowMs: number,
  ): number | undefined {
    this.#watch(lineBps, nowMs)
    if (wantedBps === undefined || nowMs < this.#nextAt) return undefined
    const most = this.#isBold
      ? { bps: Math.min(bestBps, this.#boldUntilBps), share: BOLD }
      : { bps: wantedBps, share: CAREFUL }
    const probedBps = Math.max(MIN_BPS, Math.min(most.bps * MARGIN, picturesBps * most.share))
    // The budget has just risen above the wanted rate.
    if (probedBps < picturesBps * IS_USEFUL) return undefined
    this.#nextAt = nowMs + MAX_ANSWER_MS
    return probedBps
  }

  /**
   * Takes the result of a probe.
   * @param result undefined if the probe has measured nothing
   * @param isRise true if the budget rises by it
   */
  receive(result: ProbeResult | undefined, isRise: boolean, nowMs: number): void {
    const isFull = result?.isFull === true
    if (result !== undefined) this.#learn(result)
    const isMuch = !isFull || result.bps > this.#lineBps * IS_MUCH
    if (isRise && isMuch) {
      this.#risenAt = nowMs
      this.#pauseMs = FIRST_PAUSE_MS
      this.#nextAt = nowMs + (this.#isBold ? 0 : RISEN_MS)
      return
    }
    this.#nextAt = nowMs + (isFull ? this.#pauseMs : FIRST_PAUSE_MS)
    if (isFull) this.#pauseMs = Math.min(MAX_PAUSE_MS, this.#pauseMs * 2)
  }

  get #isBold(): boolean {
    return this.#lineBps < this.#boldUntilBps * IS_WELL_BELOW
  }

  #learn({ bps, isFull }: ProbeResult): void {
    if (isFull) {
      this.#fullBps = bps
      this.#hasBeenFull = true
      this.#boldUntilBps = 0
      return
    }
    // After a wrong rise, a rate that was carried for a moment does not prove that the link is faster.
    const isFaster = bps > this.#fullBps * IS_FASTER && this.#wrongMs === FIRST_WRONG_MS
    if (isFaster) this.#boldUntilBps = Number.POSITIVE_INFINITY
  }

  /** Notices falls of the budget, and rises that last. */
  #watch(lineBps: number, nowMs: number): void {
    const beforeBps = this.#lineBps
    const isFall = lineBps < beforeBps * IS_FALL
    this.#lineBps = lineBps
    const hasJustRisen = this.#risenAt !== undefined && nowMs - this.#risenAt < SETTLING_MS
    if (isFall && hasJustRisen && this.#hasBeenFull) {
      this.#nextAt = nowMs + this.#wrongMs
      this.#wrongMs = Math.min(MAX_WRONG_MS, this.#wrongMs * 2)
      this.#risenAt = undefined
    } else if (isFall) {
      const lastedBps = hasJustRisen ? 0 : beforeBps
      this.#boldUntilBps = Math.max(this.#hasBeenFull ? this.#boldUntilBps : 0, lastedBps)
      this.#hasBeenFull = true
      this.#fullBps = lineBps
      this.#pauseMs = FIRST_PAUSE_MS
      this.#nextAt = nowMs + CHANGED_MS
    } else if (this.#risenAt !== undefined && !hasJustRisen) {
      this.#wrongMs = FIRST_WRONG_MS
      this.#risenAt = undefined
    }
  }
}

/** Returns the duration of a probe in milliseconds. At low rates it is longer, so that enough packets are sent. */
export function probeMs(bps: number): number {
  return Math.min(MAX_MS, Math.max(MIN_MS, (MIN_BITS * 1000) / bps))
}
