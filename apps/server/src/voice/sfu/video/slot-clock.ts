/** A step that differs from the elapsed time by more than this comes from a forged report, and is not used. */
const MAX_CORRECTION_MS = 2000

/** The capture times of a sender's samples. */
export interface CapturedTimes {
  /** Returns the capture time for a timestamp of the sender; undefined if it is not known. */
  capturedAt(timestamp: number): number | undefined
}

/** The last packet that a slot has sent. */
export interface SlotEnd {
  readonly timestamp: number
  /** 0 before the first packet. */
  readonly sentAt: number
}

/**
 * The clock of a slot: its timestamps grow linearly with the time of this process. Browsers fit a line to the sender reports
 * of the last twenty seconds, so the line must continue when the slot gets another sender.
 */
export class SlotClock {
  readonly #ticksPerMs: number
  readonly #leastStep: number
  /** Timestamp at the time 0; undefined before the first report. */
  #line: number | undefined

  /** @param leastStep minimum ticks from the last packet of a sender to the first of the next */
  constructor(ticksPerMs: number, leastStep: number) {
    this.#ticksPerMs = ticksPerMs
    this.#leastStep = leastStep
  }

  /** Sets the clock so that `nowMs` corresponds to this timestamp, which the receiver gets in a sender report. */
  report(timestamp: number, nowMs: number): void {
    this.#line = timestamp - Math.round(nowMs * this.#ticksPerMs)
  }

  /**
   * Returns the timestamp of a sender's first packet: from its capture time if that is known, or else from the elapsed
   * time.
   */
  begin({ timestamp: last, sentAt }: SlotEnd, nowMs: number, capturedAt: number | undefined): number {
    const elapsed = sentAt === 0 ? 0 : Math.round((nowMs - sentAt) * this.#ticksPerMs)
    if (this.#line === undefined || capturedAt === undefined) return last + Math.max(this.#leastStep, elapsed)
    const step = (this.#line + Math.round(capturedAt * this.#ticksPerMs) - last) | 0
    const isFar = Math.abs(step - elapsed) > MAX_CORRECTION_MS * this.#ticksPerMs
    return last + Math.max(this.#leastStep, isFar ? elapsed : step)
  }
}
