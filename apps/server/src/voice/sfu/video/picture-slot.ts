import type { PictureChange, ReceivedLayer } from '../../engine.ts'
import { LayerHold } from './layer-hold.ts'
import type { LayerReceiver, PictureLayer } from './picture-layer.ts'
import type { PicturePacket } from './picture-packet.ts'
import type { PicturePublisher } from './picture-publisher.ts'
import type { PictureSplice } from './picture-splice.ts'
import type { ForwardedStream } from './stream-reports.ts'

/** One slot of a viewer: the picture in it, and its layer. */
export class PictureSlot implements LayerReceiver {
  readonly splice: PictureSplice
  picture: PicturePublisher | undefined
  /** The layer that is forwarded. */
  current: PictureLayer | undefined
  /** The layer that replaces `current` at its next key frame; undefined if nothing should be forwarded. */
  wanted: PictureLayer | undefined

  readonly hold = new LayerHold()
  /** True if a layer has begun since the last choice, so that the previous layer is no longer needed. */
  #hasChanged = false
  #reportedLayer = ''
  #firstSequence = 0

  constructor(splice: PictureSplice) {
    this.splice = splice
  }

  show(picture: PicturePublisher | undefined): void {
    this.picture = picture
    this.#firstSequence = this.splice.nextSequence
    this.hold.end()
    this.#reportedLayer = ''
    this.#stop()
  }

  /** Returns the change to send to the viewer. */
  describe(slot: number): PictureChange {
    const { userId, source } = this.picture ?? {}
    return { slot, userId, source, firstSequence: this.#firstSequence }
  }

  /** Sets the wanted layer. @returns whether the slot needs other layers than after the last choice */
  choose(layer: PictureLayer | undefined): boolean {
    const isChanged = this.#hasChanged || layer !== this.wanted
    this.#hasChanged = false
    if (layer === this.wanted) return isChanged
    if (layer === undefined) this.#stop()
    this.wanted = layer
    if (layer !== this.current) this.wantKeyFrame()
    return isChanged
  }

  /** Requests a key frame of the wanted layer, unless the viewer could not decode it. */
  wantKeyFrame(): void {
    if (this.wanted && this.#decodes(this.wanted)) this.wanted.keyFrames.want()
  }

  /** Returns whether the viewer can decode the layer, or its codec is not known yet. */
  #decodes({ codec }: PictureLayer): boolean {
    return codec === undefined || this.splice.decodes(codec)
  }

  /** Returns the layer that is forwarded, if it has changed since the last call. `layer` is undefined if none is forwarded. */
  takeNewLayer(nowMs: number): { readonly layer: ReceivedLayer | undefined } | undefined {
    const layer = this.current?.isArriving(nowMs) ? this.picture?.rankOf(this.current) : undefined
    const key = layer === undefined ? '' : `${layer.position} ${layer.count}`
    const isNew = key !== this.#reportedLayer
    this.#reportedLayer = key
    return isNew ? { layer } : undefined
  }

  /** The layers whose packets the slot needs. */
  get layers(): readonly PictureLayer[] {
    const { current, wanted } = this
    return [...new Set([current, wanted])].filter((layer) => layer !== undefined)
  }

  write(layer: PictureLayer, packet: PicturePacket, nowMs: number): boolean {
    if (layer !== this.current && !this.#begin(layer, packet)) return false
    return this.splice.write(packet, nowMs, layer.clock)
  }

  isWaitingFor(layer: PictureLayer): boolean {
    const isWaiting = layer === this.wanted && (layer !== this.current || this.splice.isWaiting)
    return isWaiting && this.#decodes(layer)
  }

  streamOf(layer: PictureLayer): ForwardedStream | undefined {
    return layer === this.current ? this.splice : undefined
  }

  #begin(layer: PictureLayer, packet: PicturePacket): boolean {
    const isBeginning = packet.startsKeyFrame && this.splice.decodes(packet.codec)
    if (layer !== this.wanted || !isBeginning) return false
    this.current = layer
    this.#hasChanged = true
    this.splice.restart()
    return true
  }

  #stop(): void {
    this.current = undefined
    this.wanted = undefined
    this.splice.restart()
  }
}
