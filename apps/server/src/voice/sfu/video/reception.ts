import { difference } from '../sequences.ts'

const PICTURE_CLOCK_PER_MS = 90
const NTP_PER_MS = 65.536
/** A sequence number that jumps further belongs to a stream that has restarted. */
const MAX_JUMP = 3000

/** RFC 3550, 6.4.1: the timestamp of a stream at a moment of its sender's clock. */
export interface SenderReport {
  /** NTP time: seconds since 1900, and 2³²ths of a second. */
  readonly seconds: number
  readonly fraction: number
  readonly timestamp: number
}

/** A block of a receiver report: RFC 3550, 6.4.1. */
export interface ReportBlock {
  readonly ssrc: number
  /** Share of packets lost since the last report, in 256ths. */
  readonly fractionLost: number
  readonly lost: number
  readonly highestSequence: number
  readonly jitter: number
  readonly lastReport: number
  readonly delay: number
}

/** Numbers of expected packets and of lost packets in a period. */
export interface Arrived {
  readonly expected: number
  readonly lost: number
}

/** Measures how a stream arrives, for the reports to its sender. */
export class Reception {
  /** Counts between the last two reports. */
  since: Arrived = { expected: 0, lost: 0 }
  readonly #ssrc: number
  readonly #clockPerMs: number
  #first: number | undefined
  /** Highest sequence number, with the count of wrap-arounds in its upper bits. */
  #highest = 0
  #received = 0
  #expectedBefore = 0
  #receivedBefore = 0
  #transit = 0
  #jitter = 0
  #lastReport = 0
  #reportedAt = 0

  /** @param clockPerMs units of the stream's timestamps per millisecond */
  constructor(ssrc: number, clockPerMs = PICTURE_CLOCK_PER_MS) {
    this.#ssrc = ssrc
    this.#clockPerMs = clockPerMs
  }

  receive({ sequence, timestamp }: { sequence: number; timestamp: number }, nowMs: number): void {
    const ahead = difference(sequence, this.#highest & 0xffff)
    if (this.#first === undefined || Math.abs(ahead) > MAX_JUMP) this.#begin(sequence)
    else if (ahead > 0) this.#highest += ahead
    this.#received += 1
    // Timestamps wrap around; so does the difference of two of them.
    const transit = (Math.round(nowMs * this.#clockPerMs) - timestamp) | 0
    const change = Math.abs((transit - this.#transit) | 0)
    this.#transit = transit
    if (this.#received > 1) this.#jitter += (change - this.#jitter) / 16
  }

  receiveReport({ seconds, fraction }: SenderReport, nowMs: number): void {
    // The middle 32 bits of the sender's time.
    this.#lastReport = ((seconds << 16) | (fraction >>> 16)) >>> 0
    this.#reportedAt = nowMs
  }

  /** Returns the report block for the time since the last one; undefined if nothing has arrived yet. */
  report(nowMs: number): ReportBlock | undefined {
    if (this.#first === undefined) return undefined
    const expected = this.#highest - this.#first + 1
    const expectedNow = expected - this.#expectedBefore
    const lostNow = expectedNow - (this.#received - this.#receivedBefore)
    this.#expectedBefore = expected
    this.#receivedBefore = this.#received
    this.since = { expected: Math.max(0, expectedNow), lost: Math.max(0, lostNow) }
    return {
      ssrc: this.#ssrc,
      fractionLost:
        lostNow <= 0 || expectedNow <= 0 ? 0 : Math.min(255, Math.floor((lostNow * 256) / expectedNow)),
      lost: Math.max(0, Math.min(0x7f_ff_ff, expected - this.#received)),
      highestSequence: this.#highest >>> 0,
      jitter: Math.round(this.#jitter) >>> 0,
      lastReport: this.#lastReport,
      delay: this.#lastReport === 0 ? 0 : Math.round((nowMs - this.#reportedAt) * NTP_PER_MS) >>> 0,
    }
  }

  #begin(sequence: number): void {
    this.#first = sequence
    this.#highest = sequence
    this.#received = 0
    this.#expectedBefore = 0
    this.#receivedBefore = 0
  }
}
