import type { Peer } from '../peer.ts'
import type { PacketCounts } from '../publisher.ts'
import { BitRate } from './bit-rate.ts'
import { Gaps } from './gaps.ts'
import { KeyFrames } from './key-frames.ts'
import { type ForwardedStream, passReport, ReportPace } from './pass-report.ts'
import type { PicturePacket } from './picture-packet.ts'
import { Reception, type SenderReport } from './reception.ts'
import { PacketRing } from './ring.ts'

/** A layer is off if the others go on for so long without it. */
const MAX_SILENCE_MS = 500
const MAX_FRAMES_BEHIND = 10

/** A place of a viewer to which a layer is forwarded. */
export interface LayerReceiver {
  /** @returns whether the packet has the viewer's numbers now, to be sent */
  write(layer: PictureLayer, packet: PicturePacket, nowMs: number): boolean
  /** Returns whether it can go on only with a key frame of this layer. */
  isWaitingFor(layer: PictureLayer): boolean
  /** Returns the viewer's stream, if this layer is in it. */
  streamOf(layer: PictureLayer): ForwardedStream | undefined
}

export interface PictureRoute {
  readonly slot: LayerReceiver
  readonly peer: Pick<Peer, 'send'>
}

/** A stream of a camera or screen: one of its sizes, or the only one. Every viewer receives one of them at a time. */
export class PictureLayer {
  readonly ssrc: number
  readonly gaps = new Gaps()
  readonly keyFrames = new KeyFrames()
  readonly reception: Reception
  readonly rate = new BitRate()
  /** Current receivers of the packets. */
  routes: readonly PictureRoute[] = []
  /** Source of its repairs. */
  repairSsrc: number | undefined
  /** Pixels, as the last key frame says; 0 before the first. */
  height = 0
  /** Frames of other layers since its last packet. */
  framesBehind = 0
  #receivedAt = Number.NEGATIVE_INFINITY
  #hasBegun = false
  /** Timestamp of all packets of its last key frame. */
  #keyFrameTimestamp: number | undefined
  readonly #openedAt: number
  readonly #counts: PacketCounts
  readonly #reportPace = new ReportPace()
  readonly #ring = new PacketRing()

  constructor(ssrc: number, counts: PacketCounts, openedAt = Number.NEGATIVE_INFINITY) {
    this.ssrc = ssrc
    this.#openedAt = openedAt
    this.reception = new Reception(ssrc)
    this.#counts = counts
  }

  /** Its sender has turned it off, because of a slow line or processor. */
  isSilent(nowMs: number): boolean {
    return this.framesBehind >= MAX_FRAMES_BEHIND && nowMs - this.#receivedAt > MAX_SILENCE_MS
  }

  /** Returns whether nothing has come for so long, and it did not just begin. */
  isIdle(ms: number, nowMs: number): boolean {
    return nowMs - Math.max(this.#openedAt, this.#receivedAt) > ms
  }

  /**
   * Forwards a packet to the viewers.
   * @returns false for packets that have arrived before, and for padding before the first frame
   */
  receive(packet: PicturePacket, isRepair: boolean, nowMs: number): boolean {
    if (!isRepair) this.reception.receive(packet, nowMs)
    if (!this.gaps.receive(packet.sequence)) this.keyFrames.want()
    const isEarly = packet.isPadding && !this.#hasBegun
    // Browsers also measure the network with packets that have arrived before.
    if (isEarly || this.#ring.find(packet.sequence, nowMs) !== undefined) return false
    this.#take(packet, nowMs)
    for (const { slot, peer } of this.routes) {
      if (slot.write(this, packet, nowMs) && peer.send(packet.bytes)) this.#counts.forwarded += 1
      else if (slot.isWaitingFor(this)) this.keyFrames.want()
    }
    return true
  }

  /** Takes the report of its sender, and passes it on to the viewers who receive this layer. */
  receiveReport(report: SenderReport, nowMs: number): void {
    this.reception.receiveReport(report, nowMs)
    if (!this.#hasBegun || !this.#reportPace.isDue(nowMs)) return
    for (const { slot, peer } of this.routes) {
      const stream = slot.streamOf(this)
      if (stream) passReport(report, stream, peer)
    }
  }

  routeTo(routes: readonly PictureRoute[]): void {
    this.routes = routes
    if (routes.length === 0) this.keyFrames.forgo()
  }

  /** Returns a packet for a viewer that misses it. */
  find(sequence: number, nowMs: number): PicturePacket | undefined {
    return this.#ring.find(sequence, nowMs)
  }

  /** Forgets what has arrived, because it may not be shown any more. */
  clear(): void {
    this.height = 0
    this.framesBehind = 0
    this.#hasBegun = false
    this.gaps.clear()
    this.#ring.clear()
  }

  #take(packet: PicturePacket, nowMs: number): void {
    packet.receivedAt = nowMs
    this.#hasBegun = true
    this.#receivedAt = nowMs
    this.framesBehind = 0
    // A key frame without its sizes changes nothing.
    if (packet.startsKeyFrame && packet.height > 0) this.height = packet.height
    if (packet.startsKeyFrame) this.#keyFrameTimestamp = packet.timestamp
    this.rate.add(packet.bytes.length, nowMs, packet.timestamp === this.#keyFrameTimestamp)
    this.keyFrames.receive(packet.startsKeyFrame, nowMs)
    this.#ring.put(packet)
  }
}
