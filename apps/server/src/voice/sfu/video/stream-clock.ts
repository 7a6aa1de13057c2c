import type { SenderReport } from './reception.ts'
import { type SenderClock, timeOf } from './sender-clock.ts'

/**
 * Plausible time from the capture of a packet to its arrival, in milliseconds. Outside of this, the last report no longer
 * fits the packets, or is forged.
 */
const LAG_MS = { least: -100, most: 2000 }
/**
 * If a stream's clock deviates by more than this between two reports, it has jumped: clocks of sound cards drift by
 * less.
 */
const MAX_JUMP_MS = 50
/** A sender that has sent nothing for this long may have stopped the clock of its stream. */
const MAX_SILENCE_MS = 1000

/** The capture times of one stream's samples, in the time of this process. */
export class StreamClock {
  readonly #sender: SenderClock
  readonly #ticksPerMs: number
  #reported: { readonly senderMs: number; readonly timestamp: number } | undefined
  #lastTimestamp = 0
  #lastReceivedAt = Number.NEGATIVE_INFINITY

  constructor(sender: SenderClock, ticksPerMs: number) {
    this.#sender = sender
    this.#ticksPerMs = ticksPerMs
  }

  /**
   * @returns whether the clock of the stream has jumped relative to the clock of its sender, as when a busy computer
   * loses audio
   */
  receiveReport(report: SenderReport, nowMs: number): boolean {
    const senderMs = timeOf(report)
    const before = this.#reported
    this.#sender.learn(senderMs, nowMs)
    this.#reported = { senderMs, timestamp: report.timestamp }
    if (before === undefined) return false
    const streamMs = ((report.timestamp - before.timestamp) | 0) / this.#ticksPerMs
    return Math.abs(senderMs - before.senderMs - streamMs) > MAX_JUMP_MS
  }

  receivePacket(timestamp: number, nowMs: number): void {
    this.#lastTimestamp = timestamp
    this.#lastReceivedAt = nowMs
  }

  /** Returns the capture time for a timestamp of the sender; undefined while no report fits the packets. */
  capturedAt(timestamp: number): number | undefined {
    const lastMs = this.#timeOf(this.#lastTimestamp)
    if (lastMs === undefined) return undefined
    const lagMs = this.#lastReceivedAt - lastMs
    return lagMs < LAG_MS.least || lagMs > LAG_MS.most ? undefined : this.#timeOf(timestamp)
  }

  /** Returns the sender's timestamp of this moment; undefined if it is not known, or nothing is sent. */
  timestampAt(nowMs: number): number | undefined {
    if (nowMs - this.#lastReceivedAt > MAX_SILENCE_MS) return undefined
    const lastMs = this.capturedAt(this.#lastTimestamp)
    if (lastMs === undefined) return undefined
    return (this.#lastTimestamp + Math.round((nowMs - lastMs) * this.#ticksPerMs)) >>> 0
  }

  #timeOf(timestamp: number): number | undefined {
    if (this.#reported === undefined) return undefined
    const { senderMs, timestamp: reported } = this.#reported
    // Timestamps wrap around. So does the difference of two of them.
    return this.#sender.toOurs(senderMs + ((timestamp - reported) | 0) / this.#ticksPerMs)
  }
}
