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
   * Returns the receiver's timestamp for one of the sender's, which the receiver is told for this time; undefined before the
   * sender's first packet.
   */
  reportTimestamp(original: number, nowMs: number): number | undefined
}

/** Browsers look at the reports once a second. Their own for sounds come every five seconds, which would be too few. */
const REPORT_MS = 1000

/** Reports the time of one sender's stream to its receivers, every second. */
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
