import type { Peer } from '../peer.ts'
import type { PacketCounts } from '../publisher.ts'
import { BitRate } from './bit-rate.ts'
import { Gaps } from './gaps.ts'
import { KeyFrames } from './key-frames.ts'
import type { PicturePacket } from './picture-packet.ts'
import { Reception, type SenderReport } from './reception.ts'
import { PacketRing } from './ring.ts'
import { SenderClock } from './sender-clock.ts'
import { StreamClock } from './stream-clock.ts'
import { type ForwardedStream, StreamReports } from './stream-reports.ts'

const CLOCK_PER_MS = 90

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
  readonly clock: StreamClock
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
  readonly #reports: StreamReports
  readonly #ring = new PacketRing()

  /** @param owner the clock is the one of all streams of its sender */
  constructor(
    ssrc: number,
    { counts, clock = new SenderClock() }: { counts: PacketCounts; clock?: SenderClock },
    openedAt = Number.NEGATIVE_INFINITY,
  ) {
    this.ssrc = ssrc
    this.#openedAt = openedAt
    this.reception = new Reception(ssrc)
    this.#counts = counts
    this.clock = new StreamClock(clock, CLOCK_PER_MS)
    this.#reports = new StreamReports(this.clock)
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
    if (!isRepair) this.#measure(packet, nowMs)
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

  /** Takes the report of its sender. */
  receiveReport(report: SenderReport, nowMs: number): void {
    this.reception.receiveReport(report, nowMs)
    this.clock.receiveReport(report, nowMs)
  }

  /** Reports its time, when that is due, to the viewers who receive this layer. */
  report(nowMs: number): void {
    if (!this.#hasBegun) return
    this.#reports.tick(nowMs, () =>
      this.routes.flatMap(({ slot, peer }) => {
        const stream = slot.streamOf(this)
        return stream ? [{ stream, peer }] : []
      }),
    )
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

  #measure(packet: PicturePacket, nowMs: number): void {
    this.reception.receive(packet, nowMs)
    this.clock.receivePacket(packet.timestamp, nowMs)
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
