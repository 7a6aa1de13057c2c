import type { SenderReport } from './reception.ts'

/** Milliseconds from 1900, where NTP begins, to 1970. */
const NTP_EPOCH_MS = 2_208_988_800_000
/** If a report is later than the offset predicts by more than this, a clock was set, and the offset is learned again. */
const MAX_DELAY_MS = 2000
/** Maximum drift between the clocks of two computers: 0.2 ms per second. */
const MAX_DRIFT = 0.0002

/**
 * Translates the clock of one client to that of this process. All streams of a client share its clock, so an error of the
 * translation is the same for its voice and its camera, which stay in sync.
 */
export class SenderClock {
  /** Our time minus the sender's, from the fastest report. */
  #offsetMs: number | undefined
  #learnedAt = 0

  /**
   * Learns the offset from the fastest report, which has waited least on its way. Other reports only correct the offset
   * for drift.
   */
  learn(senderMs: number, nowMs: number): void {
    const offsetMs = nowMs - senderMs
    const before = this.#offsetMs
    const isFaster = before === undefined || offsetMs < before || offsetMs > before + MAX_DELAY_MS
    this.#offsetMs = isFaster ? offsetMs : Math.min(offsetMs, before + (nowMs - this.#learnedAt) * MAX_DRIFT)
    this.#learnedAt = nowMs
  }

  /** Returns a time of the sender in our time; undefined before the first report. */
  toOurs(senderMs: number): number | undefined {
    return this.#offsetMs === undefined ? undefined : senderMs + this.#offsetMs
  }
}

/** Returns the time of a report in milliseconds since 1900. */
export function timeOf({ seconds, fraction }: SenderReport): number {
  return seconds * 1000 + (fraction * 1000) / 2 ** 32
}

/** Returns a time of this process as NTP. */
export function ntpOf(nowMs: number): { seconds: number; fraction: number } {
  const ntpMs = NTP_EPOCH_MS + performance.timeOrigin + nowMs
  const seconds = Math.floor(ntpMs / 1000)
  return { seconds, fraction: Math.floor(((ntpMs - seconds * 1000) / 1000) * 2 ** 32) }
}
