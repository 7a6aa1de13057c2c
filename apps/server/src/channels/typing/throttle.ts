import { NOTICE_INTERVAL_MS } from '@foyer/protocol/limits'
import type { RateCounters } from '#src/kernel/limits/rate-limits.ts'

export type IndicatorKind = 'typing' | 'recording'

/** Limits typing and recording indicators to one every 2 seconds per user, channel and kind. */
export class IndicatorThrottle {
  readonly #counters: RateCounters

  constructor(counters: RateCounters) {
    this.#counters = counters
  }

  /** Returns true if an indicator may be sent now, and counts it. */
  async take(kind: IndicatorKind, userId: string, channelId: string): Promise<boolean> {
    const counter = { subject: userId, name: `${kind}|${channelId}`, limit: 1, windowMs: NOTICE_INTERVAL_MS }
    const decision = await this.#counters.take([counter], performance.now())
    return decision?.allowed === true
  }
}
