import type { Peer } from '../peer.ts'
import type { PictureLayer } from './picture-layer.ts'
import type { PicturePublisher, PictureSource } from './picture-publisher.ts'
import { writeBandwidth, writeMissing, writePictureLoss, writeReceiverReport } from './rtcp.ts'

const REPORT_MS = 1000
/** Bits per second that a client may send of each picture. */
const BANDWIDTH: Readonly<Record<PictureSource, number>> = { camera: 2_500_000, screen: 4_000_000 }
/** A tenth, in 256ths. */
const MUCH_LOST = 26

/** The reports to a client about its own pictures. */
export class ReportSender {
  /** Our own source. */
  readonly #sender: number
  readonly #published: readonly PicturePublisher[]
  #reportedAt = Number.NEGATIVE_INFINITY

  constructor(sender: number, published: readonly PicturePublisher[]) {
    this.#sender = sender
    this.#published = published
  }

  /** Asks for what is missing, and every second reports what has arrived. */
  tick(peer: Pick<Peer, 'send'>, nowMs: number): void {
    const live = this.#published.filter(({ isLive }) => isLive).flatMap(({ layers }) => layers)
    if (live.length === 0) return
    const isDue = nowMs - this.#reportedAt >= REPORT_MS
    const blocks = isDue ? live.flatMap(({ reception }) => reception.report(nowMs) ?? []) : []
    const isLossy = blocks.some(({ fractionLost }) => fractionLost > MUCH_LOST)
    const asked = live.flatMap((layer) => this.#requests(layer, nowMs))
    if (!isDue && asked.length === 0) return
    if (isDue) this.#reportedAt = nowMs
    const bandwidth = isDue ? [this.#bandwidth(isLossy)] : []
    // A packet of several reports begins with that of the receiver: RFC 3550, 6.1.
    peer.send(Buffer.concat([writeReceiverReport(this.#sender, blocks), ...bandwidth, ...asked]))
  }

  #requests({ ssrc, gaps, keyFrames }: PictureLayer, nowMs: number): Buffer[] {
    const missing = gaps.due(nowMs)
    return [
      ...(missing.length > 0 ? [writeMissing(this.#sender, ssrc, missing)] : []),
      ...(keyFrames.isDue(nowMs) ? [writePictureLoss(this.#sender, ssrc)] : []),
    ]
  }

  /** Always for all pictures that it may begin: Chrome only follows a first report at once, and later ones slowly. */
  #bandwidth(isLossy: boolean): Buffer {
    const sum = this.#published.reduce((bits, { source }) => bits + BANDWIDTH[source], 0)
    const ssrcs = this.#published.flatMap(({ layers }) => layers.map(({ ssrc }) => ssrc))
    return writeBandwidth(this.#sender, isLossy ? sum / 2 : sum, ssrcs)
  }
}
