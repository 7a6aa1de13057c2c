import type { PictureCodec } from '@foyer/protocol/voice'
import type { ReceivedLayer } from '../../engine.ts'
import type { MediaLine } from '../offer-lines.ts'
import type { PacketCounts } from '../publisher.ts'
import { PictureLayer } from './picture-layer.ts'
import type { SenderClock } from './sender-clock.ts'

export type PictureSource = 'camera' | 'screen'

export interface PictureOwner {
  readonly userId: string
  readonly source: PictureSource
  readonly counts: PacketCounts
  /** The clock that all streams of the sender share. */
  readonly clock?: SenderClock
}

/** The layer of a packet, and whether the packet is RTX. */
export interface Arrival {
  readonly layer: PictureLayer
  readonly isRepair: boolean
  readonly nowMs: number
}

/** Name of the layer of a sender that has only one. */
const ONLY = ''
/** Silence after which a layer may take another SSRC. Its viewers then need a key frame. */
const MIN_SILENCE_MS = 1000

/** The camera or screen of one client, in one layer or several: checks incoming packets. */
export class PicturePublisher {
  readonly userId: string
  readonly source: PictureSource
  readonly line: MediaLine
  /** The layers with a known SSRC. */
  layers: readonly PictureLayer[] = []
  /** True if the picture is allowed, and has begun. */
  isLive = false
  #isAllowed = false
  readonly #owner: PictureOwner
  readonly #layers = new Map<string, PictureLayer>()

  constructor(line: MediaLine, owner: PictureOwner) {
    this.userId = owner.userId
    this.source = owner.source
    this.line = line
    this.#owner = owner
    if (line.layers.length === 0 && line.ssrc !== undefined)
      this.#setLayer(ONLY, new PictureLayer(line.ssrc, owner))
  }

  setAllowed(isAllowed: boolean): void {
    if (isAllowed === this.#isAllowed) return
    this.#isAllowed = isAllowed
    this.isLive = false
    for (const layer of this.layers) layer.clear()
  }

  layerOf(rid: string): PictureLayer | undefined {
    return this.#layers.get(rid)
  }

  /** Assigns the SSRC to the layer. Returns undefined if there is no such layer, or its current SSRC still sends. */
  openLayer(rid: string, ssrc: number, nowMs: number): PictureLayer | undefined {
    const before = this.#layers.get(rid)
    if (!this.line.layers.includes(rid) || before?.isIdle(MIN_SILENCE_MS, nowMs) === false) return undefined
    const layer = new PictureLayer(ssrc, this.#owner, nowMs)
    this.#setLayer(rid, layer)
    return layer
  }

  /** Returns the layers that can be forwarded, from low to high. */
  choices(nowMs: number): readonly PictureLayer[] {
    if (!this.isLive) return []
    if (!this.#isLayered) return this.layers
    const sending = this.layers.filter((layer) => layer.height > 0 && !layer.isSilent(nowMs))
    const answering = sending.filter(({ keyFrames }) => !keyFrames.areIgnored(nowMs))
    return (answering.length > 0 ? answering : sending).toSorted((one, other) => one.height - other.height)
  }

  /** Returns the position of the layer among those that have been sent; undefined if there is only one. */
  rankOf(layer: PictureLayer): ReceivedLayer | undefined {
    const lower = this.layers.filter(({ height }) => height > 0 && height < layer.height).length
    const count = this.layers.filter(({ height }) => height > 0).length
    return count > 1 ? { position: lower + 1, count } : undefined
  }

  /** @returns whether the picture, or another layer of it, begins with this packet */
  receive(received: Buffer, { layer, isRepair, nowMs }: Arrival): boolean {
    if (!this.#isAllowed) return false
    const codec = this.#codecOf(received, isRepair)
    const packet = layer.next
    if (codec === undefined || !packet.read(received, codec, isRepair)) {
      this.#owner.counts.dropped += 1
      return false
    }
    if (isRepair && packet.isPadding) return false
    const had = this.isLive && (layer.height > 0 || !this.#isLayered)
    if (!layer.receive(packet, isRepair, nowMs)) return false
    this.isLive = true
    if (!this.#isLayered) return !had
    if (packet.marker) this.#leaveBehind(layer)
    if (!layer.hasKeyFrame) layer.keyFrames.want()
    return !had && layer.height > 0
  }

  #codecOf(received: Buffer, isRepair: boolean): PictureCodec | undefined {
    const type = (received[1] ?? 0) & 127
    for (const { name, payloadType, repairType } of this.line.codecs)
      if (type === (isRepair ? repairType : payloadType)) return name
    return undefined
  }

  get #isLayered(): boolean {
    return this.line.layers.length > 0
  }

  #leaveBehind(layer: PictureLayer): void {
    const others = this.layers.filter((other) => other !== layer)
    for (const other of others) other.framesBehind += 1
  }

  #setLayer(rid: string, layer: PictureLayer): void {
    this.#layers.set(rid, layer)
    this.layers = [...this.#layers.values()]
  }
}
