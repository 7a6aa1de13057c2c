/** Pause of padding after the first overuse. The pause doubles with each further overuse. */
const FIRST_PAUSE_MS = 4000
const MAX_PAUSE_MS = 60_000
/** A budget below this share of the one before is a fall. A smaller fall is noise. */
const IS_FALL = 0.9
/**
 * In a pause, a viewer that is sent less than IS_LITTLE of its budget gets padding up to IN_PAUSE of the budget. Otherwise its
 * estimate could not rise.
 */
const IS_LITTLE = 0.5
const IN_PAUSE = 0.8
/** A rise of the wanted rate by this factor means a new layer: the rates of layers vary by less. */
const IS_NEXT_LAYER = 1.3

export interface ProbeState {
  readonly budgetBps: number
  /** The rate of the pictures that are sent. */
  readonly sentBps: number
  /** The rate at which the viewer could have a better picture; undefined if it has all it wants. */
  readonly wantedBps: number | undefined
}

/**
 * Decides how much padding to send to a viewer that reports no arrivals. Its estimate never exceeds 1.5 times the arriving rate.
 * With pictures alone, the estimate would never reach the rate of the next layer, which is three times as high.
 */
export class Probing {
  #pauseMs = FIRST_PAUSE_MS
  #pausedUntil = Number.NEGATIVE_INFINITY
  #budgetBps = 0
  #wantedBps = 0

  /** Returns the rate of padding to send now. */
  rate({ budgetBps, sentBps, wantedBps }: ProbeState, nowMs: number): number {
    if (budgetBps < this.#budgetBps * IS_FALL) this.#pause(nowMs)
    // The viewer has a better picture than before, so its link has become faster.
    if ((wantedBps ?? 0) > this.#wantedBps * IS_NEXT_LAYER) this.#pauseMs = FIRST_PAUSE_MS
    this.#budgetBps = budgetBps
    this.#wantedBps = wantedBps ?? 0
    if (wantedBps === undefined) return 0
    const isPaused = nowMs < this.#pausedUntil
    if (isPaused && sentBps > budgetBps * IS_LITTLE) return 0
    return Math.max(0, Math.min(isPaused ? budgetBps * IN_PAUSE : budgetBps, wantedBps) - sentBps)
  }

  #pause(nowMs: number): void {
    this.#pausedUntil = nowMs + this.#pauseMs
    this.#pauseMs = Math.min(MAX_PAUSE_MS, this.#pauseMs * 2)
  }
}
