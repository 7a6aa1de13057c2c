import { backoffMs } from '../delay.ts'
import type { Setback } from './failures.ts'
import type { VoiceFailure } from './status.ts'
import type { VoiceTimings } from './voice-timings.ts'

/** The end of media is noticed a little before its reason is heard, where there is one not to come back. */
const HEAD_START = 0.25
const MAX_SETBACKS = 8

type AttemptTimings = Pick<VoiceTimings, 'baseDelayMs' | 'maxDelayMs' | 'mediaAttempts'>

/** How often it was tried to be in a place, and whether to try on. */
export class Attempts {
  readonly #timings: AttemptTimings
  #setbacks = 0
  #unreachable = 0

  constructor(timings: AttemptTimings) {
    this.#timings = timings
  }

  /** @returns after how many milliseconds to try again, or why not to */
  next(setback: Setback): { afterMs: number } | { reason: VoiceFailure } {
    this.#setbacks += 1
    this.#unreachable = setback === 'unreachable' ? this.#unreachable + 1 : 0
    if (this.#unreachable >= this.#timings.mediaAttempts) return { reason: 'network' }
    if (this.#setbacks > MAX_SETBACKS) return { reason: setback === 'refused' ? 'unavailable' : 'network' }
    return { afterMs: HEAD_START * this.#timings.baseDelayMs + backoffMs(this.#setbacks - 1, this.#timings) }
  }

  /** All is well, and has been for a while: media that stops right after it came must not be tried for ever. */
  forget(): void {
    this.#setbacks = 0
    this.#unreachable = 0
  }
}
