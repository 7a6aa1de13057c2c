import type { PictureCodec } from '@foyer/protocol/voice'
import type { LineCodec } from '../line-codecs.ts'
import { difference } from '../sequences.ts'
import { HEADER_BYTES, type PicturePacket } from './picture-packet.ts'
import { type CapturedTimes, SlotClock } from './slot-clock.ts'
import type { ForwardedStream } from './stream-reports.ts'

const CLOCK_PER_MS = 90
/**
 * Minimum timestamp step between layers: 10 ms, because two layers may have frames of the same moment. A longer step could
 * put the viewer's clock ahead of the sender's after many changes.
 */
const LEAST_STEP_TICKS = 900
/** Sequence numbers that jump further come from a restarted sender: at 4 Mbit/s, the gap would be about four seconds of loss. */
const MAX_GAP = 2000
const REPAIR_BYTES = 2

/** The SSRCs and first numbers of a viewer's stream. All are random, as RFC 3550 requires. */
export interface PictureStream {
  readonly ssrc: number
  /** Codecs that the viewer can decode. */
  readonly codecs: readonly LineCodec[]
  readonly sequence: number
  readonly timestamp: number
  /** RTX stream (RFC 4588), with the payload type that padding uses. If undefined, lost packets are resent unchanged. */
  readonly repair: { readonly ssrc: number; readonly payloadType: number; sequence: number } | undefined
}

/**
 * One slot of a viewer: a single continuous stream, whichever picture is in it. A picture only begins, or changes its codec, at a
 * key frame. At that frame, the sequence, the picture id and the index of the base layer increase by one, and the timestamp by
 * the time between captures.
 */
export class PictureSplice implements ForwardedStream {
  readonly stream: PictureStream
  sentPackets = 0
  sentOctets = 0
  /** True if no packet is written until a key frame begins. */
  isWaiting = true
  #firstSequence = 0
  #lastSequence = 0
  #lastTimestamp: number
  #lastSentAt = 0
  #lastPictureId = 0
  #lastBaseIndex = 0
  /** Codec of the current picture, and its payload types; undefined before the first picture. */
  #codec: LineCodec | undefined
  /** Offsets between the sender's numbers and the viewer's. */
  #sequenceOffset: number
  #timestampOffset = 0
  #pictureIdOffset = 0
  #baseIndexOffset = 0
  readonly #clock = new SlotClock(CLOCK_PER_MS, LEAST_STEP_TICKS)

  constructor(stream: PictureStream) {
    this.stream = stream
    this.#sequenceOffset = stream.sequence
    this.#lastTimestamp = stream.timestamp
  }

  get ssrc(): number {
    return this.stream.ssrc
  }

  /** Sequence number of the next packet, whichever picture it belongs to. */
  get nextSequence(): number {
    return (this.#sequenceOffset + this.#lastSequence + 1) & 0xffff
  }

  restart(): void {
    this.isWaiting = true
  }

  /**
   * Writes the viewer's numbers into the packet.
   * @param captured the capture times of the sender's packets
   * @returns false for packets that the viewer must not receive: before a key frame, older than the picture's first
   * packet, or in a codec that the viewer cannot decode
   */
  write(packet: PicturePacket, nowMs: number, captured?: CapturedTimes): boolean {
    if (!this.isWaiting && this.#endsWith(packet)) this.isWaiting = true
    if (this.isWaiting && !(packet.startsKeyFrame && this.decodes(packet.codec))) return false
    if (this.isWaiting) this.#begin(packet, nowMs, captured)
    else if (this.#isForeign(packet)) return false
    else if (difference(packet.sequence, this.#firstSequence) < 0) return false
    else if (difference(packet.sequence, this.#lastSequence) > 0) this.#goOn(packet, nowMs)
    this.#writeNumbers(packet)
    this.sentPackets += 1
    this.sentOctets += packet.bytes.length - HEADER_BYTES
    return true
  }

  /** Returns whether the viewer can decode this codec. */
  decodes(codec: PictureCodec): boolean {
    return this.#codecOf(codec) !== undefined
  }

  reportTimestamp(original: number, nowMs: number): number | undefined {
    if (this.isWaiting) return undefined
    const timestamp = (original + this.#timestampOffset) >>> 0
    this.#clock.report(timestamp, nowMs)
    return timestamp
  }

  /**
   * Returns the sender's sequence number of a packet that the viewer has lost; undefined if the packet is not of this
   * picture.
   */
  originalOf(sequence: number): number | undefined {
    const original = (sequence - this.#sequenceOffset) & 0xffff
    const isOurs =
      !this.isWaiting &&
      difference(original, this.#firstSequence) >= 0 &&
      difference(original, this.#lastSequence) <= 0
    return isOurs ? original : undefined
  }

  /** Returns the packet to resend, as RTX if that was negotiated. */
  repairOf(packet: PicturePacket): Buffer {
    this.#writeNumbers(packet)
    const { repair } = this.stream
    const repairType = this.#codec?.repairType
    if (repair === undefined || repairType === undefined) return packet.bytes
    const copy = Buffer.allocUnsafe(packet.bytes.length + REPAIR_BYTES)
    packet.bytes.copy(copy, 0, 0, HEADER_BYTES)
    packet.bytes.copy(copy, HEADER_BYTES, 2, 4)
    packet.bytes.copy(copy, HEADER_BYTES + REPAIR_BYTES, HEADER_BYTES)
    repair.sequence = (repair.sequence + 1) & 0xffff
    copy[1] = packet.marker ? repairType | 0x80 : repairType
    copy.writeUInt16BE(repair.sequence, 2)
    copy.writeUInt32BE(repair.ssrc, 8)
    return copy
  }

  /** Returns whether the current picture cannot go on with the packet: its sender restarted, or changed the codec. */
  #endsWith({ sequence, codec, isPadding }: PicturePacket): boolean {
    if (Math.abs(difference(sequence, this.#lastSequence)) > MAX_GAP) return true
    // The last packets of the old codec may arrive late.
    return this.#isForeign({ codec, isPadding }) && difference(sequence, this.#lastSequence) > 0
  }

  #isForeign({ codec, isPadding }: Pick<PicturePacket, 'codec' | 'isPadding'>): boolean {
    return codec !== this.#codec?.name && !isPadding
  }

  #codecOf(wanted: PictureCodec): LineCodec | undefined {
    for (const codec of this.stream.codecs) if (codec.name === wanted) return codec
    return undefined
  }

  #begin(packet: PicturePacket, nowMs: number, captured: CapturedTimes | undefined): void {
    const end = { timestamp: this.#lastTimestamp, sentAt: this.#lastSentAt }
    const timestamp = this.#clock.begin(end, nowMs, captured?.capturedAt(packet.timestamp))
    this.isWaiting = false
    this.#codec = this.#codecOf(packet.codec)
    this.#firstSequence = packet.sequence
    this.#sequenceOffset = (this.#sequenceOffset + this.#lastSequence + 1 - packet.sequence) & 0xffff
    this.#timestampOffset = timestamp - packet.timestamp
    this.#pictureIdOffset = this.#lastPictureId + 1 - packet.pictureId
    this.#baseIndexOffset = this.#lastBaseIndex + 1 - packet.baseIndex
    this.#goOn(packet, nowMs)
  }

  #goOn(packet: PicturePacket, nowMs: number): void {
    this.#lastSequence = packet.sequence
    this.#lastTimestamp = (packet.timestamp + this.#timestampOffset) >>> 0
    this.#lastSentAt = nowMs
    if (!packet.isPadding) this.#goOnWith(packet)
    // The first number moves on, because sequence numbers wrap around: after a minute, all packets would seem older than the
    // first.
    if (difference(packet.sequence, this.#firstSequence) > 2 * MAX_GAP)
      this.#firstSequence = (packet.sequence - MAX_GAP) & 0xffff
  }

  #goOnWith({ pictureId, baseIndex }: PicturePacket): void {
    this.#lastPictureId = (pictureId + this.#pictureIdOffset) & 0x7fff
    this.#lastBaseIndex = (baseIndex + this.#baseIndexOffset) & 0xff
  }

  #writeNumbers(packet: PicturePacket): void {
    const { bytes, pictureIdAt, baseIndexAt } = packet
    const { ssrc } = this.stream
    const payloadType = this.#codec?.payloadType ?? 0
    bytes[0] = packet.isPadding ? 0xa0 : 0x80
    bytes[1] = packet.marker ? payloadType | 0x80 : payloadType
    bytes.writeUInt16BE((packet.sequence + this.#sequenceOffset) & 0xffff, 2)
    bytes.writeUInt32BE((packet.timestamp + this.#timestampOffset) >>> 0, 4)
    bytes.writeUInt32BE(ssrc, 8)
    if (pictureIdAt > 0) this.#writePictureId(packet)
    if (baseIndexAt > 0) bytes[baseIndexAt] = (packet.baseIndex + this.#baseIndexOffset) & 0xff
  }

  #writePictureId({ bytes, pictureIdAt, pictureId, hasLongId }: PicturePacket): void {
    const id = pictureId + this.#pictureIdOffset
    if (hasLongId) bytes.writeUInt16BE((id & 0x7fff) | 0x8000, pictureIdAt)
    else bytes[pictureIdAt] = id & 0x7f
  }
}
