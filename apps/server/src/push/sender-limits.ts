import { type RateWindow, RateWindows } from '#src/kernel/limits/rate-windows.ts'
import type { Subject } from './subjects.ts'

const MINUTE_MS = 60 * 1000
/** Pushes of one sender per minute after which their next messages are not pushed. */
const MAX_PUSHES = 1000

/**
 * Limits the pushes that senders cause, per minute and process. A message is pushed to all recipients or to none: one
 * announcement to a large space gets through, a flood of messages does not.
 */
export class SenderLimits {
  readonly #windows = new RateWindows(MINUTE_MS)

  isReached(subject: Subject): boolean {
    const { count, limit } = this.#window(subject)
    return count >= limit
  }

  /** @returns true if these pushes reach the limit */
  count(subject: Subject, pushes: number): boolean {
    const window = this.#window(subject)
    const wasReached = window.count >= window.limit
    window.count += pushes
    return !wasReached && window.count >= window.limit
  }

  /** Calls count separately: after an announcement, a sender can still ring. */
  #window({ type, authorId }: Subject): RateWindow {
    return this.#windows.at(`${type} ${authorId}`, MAX_PUSHES, performance.now())
  }
}
