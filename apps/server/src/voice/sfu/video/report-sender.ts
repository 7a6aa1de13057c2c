import { isLossMeasured } from '../bandwidth/loss-control.ts'
import type { Uplink } from '../bandwidth/uplink.ts'
import type { Peer } from '../peer.ts'
import type { Publisher } from '../publisher.ts'
import { readClientTime, writeTimeAnswer } from './extended-reports.ts'
import type { PictureLayer } from './picture-layer.ts'
import type { PicturePublisher } from './picture-publisher.ts'
import type { ReportBlock } from './reception.ts'
import { writeBandwidth, writeMissing, writePictureLoss, writeReceiverReport } from './rtcp.ts'

const REPORT_MS = 1000
/**
 * Minimum time between answers to a client's reference times (RFC 3611). One answer is enough for a report of Chrome, which has a
 * time for each slot, all from one SSRC.
 */
const ANSWER_MS = 500

export interface PublishedMedia {
  readonly pictures: readonly PicturePublisher[]
  readonly sounds: readonly Publisher[]
}

/** Sends a client RTCP reports about its own pictures and sounds. */
export class ReportSender {
  /** The server's own SSRC. */
  readonly #sender: number
  readonly #published: PublishedMedia
  readonly #uplink: Uplink
  #reportedAt = Number.NEGATIVE_INFINITY
  #answeredAt = Number.NEGATIVE_INFINITY
  #wasLive = false
  #expected = 0
  #lost = 0

  constructor(sender: number, published: PublishedMedia, uplink: Uplink) {
    this.#sender = sender
    this.#published = published
    this.#uplink = uplink
  }

  /**
   * Reports every second on the packets that have arrived. The first bandwidth estimate, and each fall of the estimate, are
   * reported at once. A client computes the round trip from the reports on its streams.
   */
  tick(peer: Pick<Peer, 'send'>, nowMs: number): void {
    const live = this.#live
    const isLive = live.length > 0
    const isDue = nowMs - this.#reportedAt >= REPORT_MS || (isLive && !this.#wasLive)
    this.#wasLive = isLive
    if (!isDue && !(isLive && this.#uplink.hasFallen)) return
    const blocks = isDue ? this.#blocks(live, nowMs) : []
    if (isDue) this.#reportedAt = nowMs
    if (!isLive && blocks.length === 0) return
    const bandwidth = isLive ? [this.#bandwidth()] : []
    peer.send(Buffer.concat([writeReceiverReport(this.#sender, blocks), ...bandwidth]))
  }

  /**
   * Answers the reference time in the client's report. From the answer, a viewer that sends no media computes the round trip,
   * which decides how soon it requests a lost packet again. Without answers, Chrome waits for 100 ms.
   */
  answer(received: Buffer, peer: Pick<Peer, 'send'>, nowMs: number): void {
    if (nowMs - this.#answeredAt < ANSWER_MS) return
    const time = readClientTime(received)
    if (time === undefined) return
    this.#answeredAt = nowMs
    peer.send(Buffer.concat([writeReceiverReport(this.#sender, []), writeTimeAnswer(this.#sender, time)]))
  }

  /** Requests missing packets and key frames. */
  request(peer: Pick<Peer, 'send'>, nowMs: number): void {
    const requests = this.#live.flatMap((layer) => this.#requests(layer, nowMs))
    if (requests.length === 0) return
    // A compound packet must begin with a report: RFC 3550, 6.1.
    peer.send(Buffer.concat([writeReceiverReport(this.#sender, []), ...requests]))
  }

  get #live(): PictureLayer[] {
    return this.#published.pictures.filter(({ isLive }) => isLive).flatMap(({ layers }) => layers)
  }

  #blocks(live: readonly PictureLayer[], nowMs: number): ReportBlock[] {
    const ofPictures = live.flatMap(({ reception }) => reception.report(nowMs) ?? [])
    this.#reportLoss(live, nowMs)
    return [...ofPictures, ...this.#published.sounds.flatMap((sound) => sound.reportBlock(nowMs) ?? [])]
  }

  /**
   * Passes the loss to the estimate of the uplink, once enough packets were expected: a still screen sends a few packets a
   * second, and a single lost packet says nothing.
   */
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

  /**
   * Returns a REMB that includes pictures that have not begun: Chrome adopts the first report at once, and follows later ones
   * slowly.
   */
  #bandwidth(): Buffer {
    const ssrcs = this.#published.pictures.flatMap(({ layers }) => layers.map(({ ssrc }) => ssrc))
    return writeBandwidth(this.#sender, this.#uplink.report(), ssrcs)
  }
}
