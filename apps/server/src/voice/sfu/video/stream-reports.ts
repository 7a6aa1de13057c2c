import type { Peer } from '../peer.ts'
import { writeSenderReport } from './rtcp.ts'
import { ntpOf } from './sender-clock.ts'
import type { StreamClock } from './stream-clock.ts'

/** A receiver's stream, into which the packets of a sender are written. */
export interface ForwardedStream {
  readonly ssrc: number
  readonly sentPackets: number
  readonly sentOctets: number
  /**
   * Translates a timestamp of the sender into the receiver's stream, for a report at this time. Returns undefined
   * before the sender's first packet.
   */
  reportTimestamp(original: number, nowMs: number): number | undefined
}

/** Browsers evaluate reports once a second. Their own reports on audio, sent every five seconds, would be too few. */
const REPORT_MS = 1000

/** Sends RTCP sender reports on one stream to its receivers, every second. */
export class StreamReports {
  readonly #clock: StreamClock
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(clock: StreamClock) {
    this.#clock = clock
  }

  /** @param routes returns the receivers, and is called only when a report is due */
  tick(nowMs: number, routes: () => Iterable<ReportRoute>): void {
    if (nowMs - this.#reportedAt < REPORT_MS) return
    const original = this.#clock.timestampAt(nowMs)
    if (original === undefined) return
    this.#reportedAt = nowMs
    const ntp = ntpOf(nowMs)
    for (const { stream, peer } of routes()) {
      const timestamp = stream.reportTimestamp(original, nowMs)
      if (timestamp === undefined) continue
      const { ssrc, sentPackets: packets, sentOctets: octets } = stream
      peer.send(writeSenderReport(ssrc, { ...ntp, timestamp, packets, octets }))
    }
  }
}

export interface ReportRoute {
  readonly stream: ForwardedStream
  readonly peer: Pick<Peer, 'send'>
}
