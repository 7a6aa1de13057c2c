import { backoffMs } from '../delay.ts'
import type { Setback } from './failures.ts'
import type { VoiceFailure } from './status.ts'
import type { VoiceTimings } from './voice-timings.ts'

/** Share of the base delay to wait at least before a retry: a signal that forbids it may arrive shortly after media ends. */
const HEAD_START = 0.25
const MAX_SETBACKS = 8

type AttemptTimings = Pick<VoiceTimings, 'baseDelayMs' | 'maxDelayMs' | 'mediaAttempts'>

/** Counts failed attempts to join, and decides whether to try again. */
export class Attempts {
  readonly #timings: AttemptTimings
  #setbacks = 0
  #unreachable = 0

  constructor(timings: AttemptTimings) {
    this.#timings = timings
  }

  /**
   * @param waitedMs time that the server took to refuse a join, which counts as part of the delay: while no process carries
   * voice, the server waits for one before it refuses
   * @returns the delay before the next attempt, or the reason to give up
   */
  next(setback: Setback, waitedMs = 0): { afterMs: number } | { reason: VoiceFailure } {
    this.#setbacks += 1
    this.#unreachable = setback === 'unreachable' ? this.#unreachable + 1 : 0
    if (this.#unreachable >= this.#timings.mediaAttempts) return { reason: 'network' }
    if (this.#setbacks > MAX_SETBACKS) return { reason: setback === 'refused' ? 'unavailable' : 'network' }
    const delayMs = Math.max(0, backoffMs(this.#setbacks - 1, this.#timings) - waitedMs)
    return { afterMs: HEAD_START * this.#timings.baseDelayMs + delayMs }
  }

  /**
   * Resets the counters, once media is stable: otherwise, media that stops soon after each start would be retried forever.
   */
  forget(): void {
    this.#setbacks = 0
    this.#unreachable = 0
  }
}
