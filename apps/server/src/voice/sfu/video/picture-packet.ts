import type { PictureCodec } from '@foyer/protocol/voice'
import { endOfExtensions } from '../rtp-packet.ts'
import { readAv1 } from './codecs/av1.ts'
import type { CodecFields, PayloadReader } from './codecs/codec-fields.ts'
import { readH264 } from './codecs/h264.ts'
import { readVp8 } from './codecs/vp8.ts'
import { readVp9 } from './codecs/vp9.ts'

export const HEADER_BYTES = 12
/** Browsers send at most 1,200 bytes of payload, and header extensions. */
const MAX_PACKET_BYTES = 1400
/** RFC 4588: the payload of an RTX packet begins with the original sequence number. */
const REPAIR_BYTES = 2

/** A packet of padding: space for a header, and one byte, which holds the number of padding bytes. */
const SHORTEST_PADDING: readonly number[] = [...Array<number>(HEADER_BYTES).fill(0), 1]

const READERS: Readonly<Record<PictureCodec, PayloadReader>> = {
  VP8: readVp8,
  VP9: readVp9,
  H264: readH264,
  AV1: readAv1,
}

/**
 * A packet of a picture. It is kept for a second, rewritten for every viewer, and then used again for another packet. A buffer
 * per packet that lives for a second would cause most of the garbage collection.
 */
export class PicturePacket implements CodecFields {
  codec: PictureCodec = 'VP8'
  sequence = 0
  timestamp = 0
  marker = false
  /** True for a packet without payload, with which senders probe the network. It is forwarded, because it has a sequence number. */
  isPadding = false
  receivedAt = 0
  startsKeyFrame = false
  height = 0
  pictureIdAt = 0
  pictureId = 0
  hasLongId = false
  baseIndexAt = 0
  baseIndex = 0
  /** Space for a header of 12 bytes, and the payload, without the sender's extensions and padding. */
  bytes: Buffer = Buffer.alloc(0)
  readonly #memory = Buffer.allocUnsafeSlow(MAX_PACKET_BYTES)

  /**
   * Copies a received packet, in place of the previous one.
   * @param codec the codec of the packet's payload type
   * @param isRepair true for a packet of an RTX stream
   * @returns whether the packet is valid
   */
  read(received: Buffer, codec: PictureCodec, isRepair: boolean): boolean {
    const first = received[0] ?? 0
    if (received.length <= HEADER_BYTES || received.length > MAX_PACKET_BYTES || first >> 6 !== 2)
      return false
    const start = HEADER_BYTES + (first & 0x0f) * 4
    const payloadStart = first & 0x10 ? endOfExtensions(received, start) : start
    const payloadEnd = first & 0x20 ? received.length - (received.at(-1) ?? 0) : received.length
    if (payloadEnd < payloadStart || payloadStart > received.length) return false
    this.#forget()
    this.codec = codec
    this.#readHeader(received)
    this.isPadding = payloadEnd === payloadStart
    if (this.isPadding) return this.#becomePadding()
    const isShort = isRepair && payloadEnd - payloadStart <= REPAIR_BYTES
    if (isShort) return false
    if (isRepair) this.sequence = received.readUInt16BE(payloadStart)
    const mediaStart = isRepair ? payloadStart + REPAIR_BYTES : payloadStart
    const length = received.copy(this.#memory, 0, mediaStart - HEADER_BYTES, payloadEnd)
    this.bytes = this.#memory.subarray(0, length)
    return READERS[codec](this.bytes, HEADER_BYTES, this)
  }

  #becomePadding(): true {
    this.#memory.set(SHORTEST_PADDING)
    this.bytes = this.#memory.subarray(0, SHORTEST_PADDING.length)
    return true
  }

  /** Resets the fields that only some packets have. */
  #forget(): void {
    this.startsKeyFrame = false
    this.height = 0
    this.pictureIdAt = 0
    this.pictureId = 0
    this.hasLongId = false
    this.baseIndexAt = 0
    this.baseIndex = 0
  }

  #readHeader(received: Buffer): void {
    const second = received[1] ?? 0
    this.marker = second > 127
    this.sequence = received.readUInt16BE(2)
    this.timestamp = received.readUInt32BE(4)
  }
}
