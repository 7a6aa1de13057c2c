import type { Peer } from '../peer.ts'
import type { SenderReport } from './reception.ts'
import { writeSenderReport } from './rtcp.ts'

/** A receiver's stream, into which the packets of a sender are written. */
export interface ForwardedStream {
  readonly ssrc: number
  readonly sentPackets: number
  readonly sentOctets: number
  /** Returns the receiver's timestamp for one of the sender's; undefined before the sender's first packet. */
  timestampOf(original: number): number | undefined
}

/** Shortest time between two reports of a stream that are passed on. Browsers send one a second, or fewer. */
const MIN_INTERVAL_MS = 200

/** Decides which reports of one sender's stream are passed on, since each one costs a packet for every receiver. */
export class ReportPace {
  #passedAt = Number.NEGATIVE_INFINITY

  isDue(nowMs: number): boolean {
    if (nowMs - this.#passedAt < MIN_INTERVAL_MS) return false
    this.#passedAt = nowMs
    return true
  }
}

/**
 * Passes a sender's report on as that of the receiver's stream, so that the receiver can align the sounds and pictures of
 * the sender. The time stays the sender's own, which all its streams share.
 */
export function passReport(report: SenderReport, stream: ForwardedStream, peer: Pick<Peer, 'send'>): void {
  const timestamp = stream.timestampOf(report.timestamp)
  if (timestamp === undefined) return
  const { ssrc, sentPackets: packets, sentOctets: octets } = stream
  peer.send(writeSenderReport(ssrc, { ...report, timestamp, packets, octets }))
}
