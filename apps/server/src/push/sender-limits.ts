import { type RateWindow, RateWindows } from '#src/kernel/rate-windows.ts'
import type { Subject } from './subjects.ts'

const MINUTE_MS = 60 * 1000
/** Pushes of one sender in a minute, after which their next messages are not pushed. */
const MAX_PUSHES = 1000

/**
 * Pushes that a sender causes, per minute and process. A message is pushed to everybody or to nobody: one announcement to a
 * large space is whole, and many messages to many browsers are not.
 */
export class SenderLimits {
  readonly #windows = new RateWindows(MINUTE_MS)

  isReached(subject: Subject): boolean {
    const { count, limit } = this.#window(subject)
    return count >= limit
  }

  /** @returns whether these pushes reach the limit */
  count(subject: Subject, pushes: number): boolean {
    const window = this.#window(subject)
    const wasReached = window.count >= window.limit
    window.count += pushes
    return !wasReached && window.count >= window.limit
  }

  /** Calls count apart: whoever has just announced something can still ring. */
  #window({ type, authorId }: Subject): RateWindow {
    return this.#windows.at(`${type} ${authorId}`, MAX_PUSHES, performance.now())
  }
}
