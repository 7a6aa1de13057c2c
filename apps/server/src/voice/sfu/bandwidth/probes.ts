import type { NextStep } from './next-step.ts'
import type { ProbeResult } from './probe-cluster.ts'

/** Pause after a probe that has not raised the budget. If the link was full, it doubles with each further one. */
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 20_000
/** Pause after a wrong rise, one that the budget fell from within SETTLING_MS. It doubles until a rise lasts. */
const FIRST_WRONG_MS = 4000
const MAX_WRONG_MS = 60_000
const SETTLING_MS = 10_000
/** Pause after another fall, in which the link has changed. */
const CHANGED_MS = 2000
/** Pause after a rise, once the link has been full: layers begin with a key frame, and its queue has to be seen first. */
const RISEN_MS = 1000
/** A budget below this share of the one before is a fall. A smaller fall is noise. */
const IS_FALL = 0.95
/** Time after which a probe without a result is given up. */
const MAX_ANSWER_MS = 2000
/** Multiples of the budget that a probe tries: before the link was full for the first time, and afterwards. */
const BOLD = 2
const CAREFUL = 1.5
/** Multiple of a wanted rate that a probe tries, because less than it measures is used. */
const MARGIN = 1.25
/** Minimum multiple of the budget: the result of less would not be higher. */
const IS_USEFUL = 1.08
/** Minimum rate. At a lower one, too few packets are sent to measure it. */
const MIN_BPS = 250_000
/** Duration of a probe: MIN_BITS at its rate, within these limits. */
const MIN_MS = 50
const MAX_MS = 100
const MIN_BITS = 64_000

/** Decides when to probe how much a viewer's link carries, and at which rate. */
export class Probes {
  #pauseMs = FIRST_PAUSE_MS
  #wrongMs = FIRST_WRONG_MS
  #nextAt = Number.NEGATIVE_INFINITY
  #hasBeenFull = false
  #budgetBps = 0
  /** Time of the last rise, until it has lasted or was wrong. */
  #risenAt: number | undefined

  /** Returns the rate of a probe that begins now, in bits per second; undefined if none is due. */
  next(budgetBps: number, { wantedBps, bestBps }: NextStep, nowMs: number): number | undefined {
    this.#watch(budgetBps, nowMs)
    if (wantedBps === undefined || nowMs < this.#nextAt) return undefined
    const most = this.#hasBeenFull ? { bps: wantedBps, share: CAREFUL } : { bps: bestBps, share: BOLD }
    const probedBps = Math.max(MIN_BPS, Math.min(most.bps * MARGIN, budgetBps * most.share))
    // The budget has just risen above the wanted rate.
    if (probedBps < budgetBps * IS_USEFUL) return undefined
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
    this.#hasBeenFull ||= isFull
    if (isRise) {
      this.#risenAt = nowMs
      this.#pauseMs = FIRST_PAUSE_MS
      this.#nextAt = nowMs + (this.#hasBeenFull ? RISEN_MS : 0)
      return
    }
    this.#nextAt = nowMs + (isFull ? this.#pauseMs : FIRST_PAUSE_MS)
    if (isFull) this.#pauseMs = Math.min(MAX_PAUSE_MS, this.#pauseMs * 2)
  }

  /** Notices falls of the budget, and rises that last. */
  #watch(budgetBps: number, nowMs: number): void {
    const isFall = budgetBps < this.#budgetBps * IS_FALL
    this.#budgetBps = budgetBps
    const hasJustRisen = this.#risenAt !== undefined && nowMs - this.#risenAt < SETTLING_MS
    if (isFall && hasJustRisen && this.#hasBeenFull) {
      this.#nextAt = nowMs + this.#wrongMs
      this.#wrongMs = Math.min(MAX_WRONG_MS, this.#wrongMs * 2)
      this.#risenAt = undefined
    } else if (isFall) {
      this.#hasBeenFull = true
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
