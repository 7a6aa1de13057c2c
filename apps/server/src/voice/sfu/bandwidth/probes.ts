import type { NextStep } from './next-step.ts'
import type { ProbeResult } from './probe-cluster.ts'

/** Pause after a probe that has found no more. It doubles with each further one. */
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 60_000
/** Time after which a probe without a result is given up. */
const MAX_ANSWER_MS = 2000
/** Multiples of the budget that a probe tries: before the link was full for the first time, and afterwards. */
const BOLD = 2
const CAREFUL = 1.5
/** Multiple of a wanted rate that a probe tries, because less than it measures is used. */
const MARGIN = 1.25
/** A result above this multiple of the budget is a rise. */
const IS_RISE = 1.02
/** Duration of a probe: MIN_BITS at its rate, within these limits. */
const MIN_MS = 50
const MAX_MS = 100
const MIN_BITS = 64_000

/** Decides when to probe how much a viewer's link carries, and at which rate. */
export class Probes {
  #pauseMs = FIRST_PAUSE_MS
  #nextAt = Number.NEGATIVE_INFINITY
  #hasBeenFull = false

  /** Returns the rate of a probe that begins now, in bits per second; undefined if none is due. */
  next(budgetBps: number, { wantedBps, bestBps }: NextStep, nowMs: number): number | undefined {
    if (wantedBps === undefined || nowMs < this.#nextAt) return undefined
    const most = this.#hasBeenFull ? { bps: wantedBps, share: CAREFUL } : { bps: bestBps, share: BOLD }
    const probedBps = Math.min(most.bps * MARGIN, budgetBps * most.share)
    // The budget has just risen above the wanted rate.
    if (probedBps <= budgetBps * IS_RISE) return undefined
    this.#nextAt = nowMs + MAX_ANSWER_MS
    return probedBps
  }

  /**
   * Takes the result of a probe.
   * @param result undefined if the probe has measured nothing
   * @param budgetBps the budget before it
   */
  receive(result: ProbeResult | undefined, budgetBps: number, nowMs: number): void {
    const isRise = result !== undefined && result.bps > budgetBps * IS_RISE
    this.#hasBeenFull ||= result?.isFull !== false
    this.#nextAt = isRise ? nowMs : nowMs + this.#pauseMs
    if (isRise) this.#pauseMs = FIRST_PAUSE_MS
    // A result that is neither a rise nor full comes from fewer packets than the probe wanted, and says nothing.
    else if (result?.isFull !== false) this.#pauseMs = Math.min(MAX_PAUSE_MS, this.#pauseMs * 2)
  }
}

/** Returns the duration of a probe in milliseconds. At low rates it is longer, so that enough packets are sent. */
export function probeMs(bps: number): number {
  return Math.min(MAX_MS, Math.max(MIN_MS, (MIN_BITS * 1000) / bps))
}
