import { isLossMeasured } from '../bandwidth/loss-control.ts'
import type { Uplink } from '../bandwidth/uplink.ts'
import type { Peer } from '../peer.ts'
import type { PictureLayer } from './picture-layer.ts'
import type { PicturePublisher } from './picture-publisher.ts'
import { writeBandwidth, writeMissing, writePictureLoss, writeReceiverReport } from './rtcp.ts'

const REPORT_MS = 1000

/** Sends a client RTCP reports about its own pictures. */
export class ReportSender {
  /** The server's own SSRC. */
  readonly #sender: number
  readonly #published: readonly PicturePublisher[]
  readonly #uplink: Uplink
  #reportedAt = Number.NEGATIVE_INFINITY
  #expected = 0
  #lost = 0

  constructor(sender: number, published: readonly PicturePublisher[], uplink: Uplink) {
    this.#sender = sender
    this.#published = published
    this.#uplink = uplink
  }

  /** Reports every second what has arrived. A fall of the bandwidth is reported at once. */
  tick(peer: Pick<Peer, 'send'>, nowMs: number): void {
    const live = this.#live
    if (live.length === 0) return
    const isDue = nowMs - this.#reportedAt >= REPORT_MS
    const blocks = isDue ? live.flatMap(({ reception }) => reception.report(nowMs) ?? []) : []
    if (isDue) this.#reportLoss(live, nowMs)
    if (!isDue && !this.#uplink.hasFallen) return
    if (isDue) this.#reportedAt = nowMs
    peer.send(Buffer.concat([writeReceiverReport(this.#sender, blocks), this.#bandwidth()]))
  }

  /** Requests missing packets and key frames. */
  request(peer: Pick<Peer, 'send'>, nowMs: number): void {
    const requests = this.#live.flatMap((layer) => this.#requests(layer, nowMs))
    if (requests.length === 0) return
    // A compound packet must begin with a report: RFC 3550, 6.1.
    peer.send(Buffer.concat([writeReceiverReport(this.#sender, []), ...requests]))
  }

  get #live(): PictureLayer[] {
    return this.#published.filter(({ isLive }) => isLive).flatMap(({ layers }) => layers)
  }

  /** Waits for enough packets: a still screen sends a few a second, and the loss of one says nothing. */
  #reportLoss(live: readonly PictureLayer[], nowMs: number): void {
    for (const { reception } of live) {
      this.#expected += reception.since.expected
      this.#lost += reception.since.lost
    }
    if (!isLossMeasured(this.#lost, this.#expected)) return
    this.#uplink.receiveLoss(this.#lost / this.#expected, nowMs)
    this.#expected = 0
    this.#lost = 0
  }

  #requests({ ssrc, gaps, keyFrames }: PictureLayer, nowMs: number): Buffer[] {
    const missing = gaps.due(nowMs)
    return [
      ...(missing.length > 0 ? [writeMissing(this.#sender, ssrc, missing)] : []),
      ...(keyFrames.isDue(nowMs) ? [writePictureLoss(this.#sender, ssrc)] : []),
    ]
  }

  /** Returns a REMB for all pictures that may begin: Chrome follows a first report at once, and later ones slowly. */
  #bandwidth(): Buffer {
    const ssrcs = this.#published.flatMap(({ layers }) => layers.map(({ ssrc }) => ssrc))
    return writeBandwidth(this.#sender, this.#uplink.report(), ssrcs)
  }
}
