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
