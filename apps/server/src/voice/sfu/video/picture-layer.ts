import type { PictureCodec } from '@foyer/protocol/voice'
import type { Peer } from '../peer.ts'
import type { PacketCounts } from '../publisher.ts'
import { BitRate } from './bit-rate.ts'
import { Gaps } from './gaps.ts'
import { KeyFrames } from './key-frames.ts'
import { PicturePacket } from './picture-packet.ts'
import { Reception, type SenderReport } from './reception.ts'
import { PacketRing } from './ring.ts'
import { SenderClock } from './sender-clock.ts'
import { StreamClock } from './stream-clock.ts'
import { type ForwardedStream, StreamReports } from './stream-reports.ts'

const CLOCK_PER_MS = 90

/** A layer counts as off if it sends nothing for MAX_SILENCE_MS while the other layers send MAX_FRAMES_BEHIND frames. */
const MAX_SILENCE_MS = 500
const MAX_FRAMES_BEHIND = 10
/** A layer without a packet for longer than this counts as no longer arriving. A still screen sends a frame a second. */
const MAX_PAUSE_MS = 2000

/** A viewer's slot, to which a layer is forwarded. */
export interface LayerReceiver {
  /**
   * Writes the viewer's numbers, such as SSRC and sequence number, into the packet.
   * @returns false if it must not be sent
   */
  write(layer: PictureLayer, packet: PicturePacket, nowMs: number): boolean
  /** Returns whether the slot needs a key frame of this layer to go on, and can decode it. */
  isWaitingFor(layer: PictureLayer): boolean
  /** Returns the viewer's stream, if this layer is in it. */
  streamOf(layer: PictureLayer): ForwardedStream | undefined
}

export interface PictureRoute {
  readonly slot: LayerReceiver
  readonly peer: Pick<Peer, 'send'>
}

/** A layer of a camera or screen: one of its simulcast streams, or the only one. Viewers receive one layer at a time. */
export class PictureLayer {
  readonly ssrc: number
  readonly gaps = new Gaps()
  readonly keyFrames = new KeyFrames()
  readonly reception: Reception
  rate = new BitRate()
  readonly clock: StreamClock
  /** Current receivers of the packets. */
  routes: readonly PictureRoute[] = []
  /** SSRC of its RTX stream. */
  repairSsrc: number | undefined
  /** Height in pixels, from the last key frame; 0 before the first. */
  height = 0
  /** Codec of its last packet; undefined before the first. */
  codec: PictureCodec | undefined
  /** Frames of other layers since its last packet. */
  framesBehind = 0
  /** The object into which the next packet is read. */
  next = new PicturePacket()
  #receivedAt = Number.NEGATIVE_INFINITY
  #hasBegun = false
  /** Timestamp of all packets of its last key frame. */
  #keyFrameTimestamp: number | undefined
  readonly #openedAt: number
  readonly #counts: PacketCounts
  readonly #reports: StreamReports
  readonly #ring = new PacketRing()

  /** @param owner `clock` is shared by all streams of the sender */
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

  /** True if a key frame has arrived, which usually states the height. */
  get hasKeyFrame(): boolean {
    return this.#keyFrameTimestamp !== undefined
  }

  /** Returns whether the sender has turned the layer off, because of a slow network or processor. */
  isSilent(nowMs: number): boolean {
    return this.framesBehind >= MAX_FRAMES_BEHIND && nowMs - this.#receivedAt > MAX_SILENCE_MS
  }

  isArriving(nowMs: number): boolean {
    return !this.isIdle(MAX_PAUSE_MS, nowMs)
  }

  /** Returns whether no packet has come for this long. A layer that has just begun is not idle. */
  isIdle(ms: number, nowMs: number): boolean {
    return nowMs - Math.max(this.#openedAt, this.#receivedAt) > ms
  }

  /**
   * Forwards a packet to the viewers.
   * @returns false for packets that have arrived before, and for padding before the first frame
   */
  receive(packet: PicturePacket, isRepair: boolean, nowMs: number): boolean {
    if (!isRepair) this.#measure(packet, nowMs)
    if (!this.gaps.receive(packet.sequence, nowMs)) this.keyFrames.want()
    const isEarly = packet.isPadding && !this.#hasBegun
    // Duplicates are not forwarded: browsers also probe the network by sending packets again.
    if (isEarly || this.#ring.find(packet.sequence, nowMs) !== undefined) return false
    this.#take(packet, nowMs)
    for (const { slot, peer } of this.routes) {
      if (slot.write(this, packet, nowMs) && peer.send(packet.bytes)) this.#counts.forwarded += 1
      else if (slot.isWaitingFor(this)) this.keyFrames.want()
    }
    return true
  }

  /** Handles an RTCP sender report. */
  receiveReport(report: SenderReport, nowMs: number): void {
    this.reception.receiveReport(report, nowMs)
    this.clock.receiveReport(report, nowMs)
  }

  /** Sends RTCP sender reports, when they are due, to the viewers who receive this layer. */
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

  /** Returns a recent packet, to be resent to a viewer that has lost it. */
  find(sequence: number, nowMs: number): PicturePacket | undefined {
    return this.#ring.find(sequence, nowMs)
  }

  /** Forgets everything that has arrived, because it may no longer be shown. */
  clear(): void {
    this.height = 0
    this.framesBehind = 0
    this.#hasBegun = false
    this.#keyFrameTimestamp = undefined
    this.codec = undefined
    this.rate = new BitRate()
    this.gaps.clear()
    this.#ring.clear()
  }

  #measure(packet: PicturePacket, nowMs: number): void {
    this.reception.receive(packet, nowMs)
    this.clock.receivePacket(packet.timestamp, nowMs)
  }

  #take(packet: PicturePacket, nowMs: number): void {
    packet.receivedAt = nowMs
    if (!packet.isPadding) this.codec = packet.codec
    this.#hasBegun = true
    // After a pause, the rate is measured as for a new layer: an average that includes the pause would be too low.
    if (this.isSilent(nowMs) || !this.isArriving(nowMs)) this.rate = new BitRate()
    this.#receivedAt = nowMs
    this.framesBehind = 0
    // A key frame that does not state its height changes nothing.
    if (packet.startsKeyFrame && packet.height > 0) this.height = packet.height
    if (packet.startsKeyFrame) this.#keyFrameTimestamp = packet.timestamp
    this.rate.add(packet.bytes.length, nowMs, packet.timestamp === this.#keyFrameTimestamp)
    this.keyFrames.receive(packet.startsKeyFrame, nowMs)
    this.next = this.#ring.put(packet)
  }
}
