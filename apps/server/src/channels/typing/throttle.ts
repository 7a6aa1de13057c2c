import { NOTICE_INTERVAL_MS } from '@foyer/protocol/limits'
import type { RateCounters } from '#src/kernel/rate-limits.ts'

export type NoticeKind = 'typing' | 'recording'

/** Lets one notice through every 2 seconds per user, place and kind. */
export class NoticeThrottle {
  readonly #counters: RateCounters

  constructor(counters: RateCounters) {
    this.#counters = counters
  }

  /** Whether a notice may go out now; asking takes the turn. */
  async take(kind: NoticeKind, userId: string, channelId: string): Promise<boolean> {
    const counter = { subject: userId, name: `${kind}|${channelId}`, limit: 1, windowMs: NOTICE_INTERVAL_MS }
    const verdict = await this.#counters.take([counter], performance.now())
    return verdict?.allowed === true
  }
}
