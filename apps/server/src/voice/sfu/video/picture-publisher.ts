import type { MediaLine } from '../offer-lines.ts'
import type { Peer } from '../peer.ts'
import type { PacketCounts } from '../publisher.ts'
import { Gaps } from './gaps.ts'
import { KeyFrames } from './key-frames.ts'
import { passReport, ReportPace } from './pass-report.ts'
import { PicturePacket } from './picture-packet.ts'
import type { PictureSplice } from './picture-splice.ts'
import { Reception, type SenderReport } from './reception.ts'
import { PacketRing } from './ring.ts'

export type PictureSource = 'camera' | 'screen'

/** A viewer's slot with this picture. */
export interface PictureRoute {
  readonly splice: PictureSplice
  readonly peer: Pick<Peer, 'send'>
}

export interface PictureOwner {
  readonly userId: string
  readonly source: PictureSource
  readonly counts: PacketCounts
}

/** The camera or screen of one client: checks incoming packets and forwards them to the viewers. */
export class PicturePublisher {
  readonly userId: string
  readonly source: PictureSource
  readonly ssrc: number
  readonly gaps = new Gaps()
  readonly keyFrames = new KeyFrames()
  readonly reception: Reception
  /** Current receivers of the packets. */
  routes: readonly PictureRoute[] = []
  /** It may send, and has begun to. */
  isLive = false
  #isAllowed = false
  readonly #line: MediaLine
  readonly #counts: PacketCounts
  readonly #reportPace = new ReportPace()
  readonly #ring = new PacketRing()

  constructor(line: MediaLine & { readonly ssrc: number }, { userId, source, counts }: PictureOwner) {
    this.userId = userId
    this.source = source
    this.ssrc = line.ssrc
    this.reception = new Reception(line.ssrc)
    this.#line = line
    this.#counts = counts
  }

  setAllowed(isAllowed: boolean): void {
    if (isAllowed === this.#isAllowed) return
    this.#isAllowed = isAllowed
    this.isLive = false
    this.gaps.clear()
    this.#ring.clear()
    for (const { splice } of this.routes) splice.restart()
  }

  /** @returns whether the picture begins with this packet */
  receive(received: Buffer, isRepair: boolean, nowMs: number): boolean {
    if (!this.#isAllowed) return false
    const packet = new PicturePacket()
    const type = isRepair ? this.#line.repair?.payloadType : this.#line.payloadType
    if (!packet.read(received, isRepair) || packet.payloadType !== type) {
      this.#counts.dropped += 1
      return false
    }
    if (isRepair && packet.isPadding) return false
    if (!isRepair) this.reception.receive(packet, nowMs)
    if (!this.gaps.receive(packet.sequence)) this.keyFrames.want()
    const isEarly = packet.isPadding && !this.isLive
    // Browsers also measure the network with packets that have arrived before.
    const isKnown = this.#ring.find(packet.sequence, nowMs) !== undefined
    return !isEarly && !isKnown && this.#take(packet, nowMs)
  }

  /** Takes the report of its sender, and passes it on to the viewers. */
  receiveReport(report: SenderReport, nowMs: number): void {
    this.reception.receiveReport(report, nowMs)
    if (!this.#isAllowed || !this.#reportPace.isDue(nowMs)) return
    for (const { splice, peer } of this.routes) passReport(report, splice, peer)
  }

  /** Returns a packet for a viewer that misses it. */
  find(sequence: number, nowMs: number): PicturePacket | undefined {
    return this.#ring.find(sequence, nowMs)
  }

  #take(packet: PicturePacket, nowMs: number): boolean {
    const begins = !this.isLive
    this.isLive = true
    packet.receivedAt = nowMs
    this.#ring.put(packet)
    this.keyFrames.receive(packet.startsKeyFrame, nowMs)
    for (const { splice, peer } of this.routes) {
      if (splice.write(packet, nowMs) && peer.send(packet.bytes)) this.#counts.forwarded += 1
      else if (splice.isWaiting) this.keyFrames.want()
    }
    return begins
  }
}
