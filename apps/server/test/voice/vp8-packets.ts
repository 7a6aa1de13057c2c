import type { LineCodec } from '#src/voice/sfu/line-codecs.ts'

export interface PacketHeader {
  readonly sequence: number
  readonly timestamp?: number
  readonly ssrc?: number
  readonly payloadType?: number
  /** Values of header extensions, by their ids. */
  readonly extensions?: Readonly<Record<number, string>>
  /** Sequence number of the packet that this packet retransmits (RFC 4588). */
  readonly repairs?: number
}

/** A packet of VP8 as browsers send it: a picture id of 15 bits, and an index of the base layer. */
export interface Vp8Packet extends PacketHeader {
  readonly pictureId?: number
  readonly baseIndex?: number
  /** True if the frame can be decoded without an earlier one. */
  readonly isKeyFrame?: boolean
  /** False for a later packet of a frame. */
  readonly isFirst?: boolean
  readonly body?: number
  /** Height in pixels, which only a key frame contains. */
  readonly height?: number
  /** True for the last packet of a frame. */
  readonly isLast?: boolean
  /** Number of bytes after the VP8 descriptor. */
  readonly size?: number
}

const HEADER_BYTES = 12
const DESCRIPTOR_BYTES = 6

/** Returns the codecs of an m-line that offers only VP8. */
export function vp8Only(payloadType: number): LineCodec[] {
  return [{ name: 'VP8', payloadType, repairType: payloadType + 1 }]
}

export function vp8Packet(wanted: Vp8Packet): Buffer {
  const { pictureId = 0, baseIndex = 0 } = wanted
  const { isKeyFrame = false, isFirst = true, payloadType = 96, body = 9 } = wanted
  const packet = Buffer.alloc(HEADER_BYTES + DESCRIPTOR_BYTES + (wanted.size ?? 20), body)
  writeFixedHeader(packet, wanted, payloadType)
  packet[12] = isFirst ? 0x90 : 0x80
  packet[13] = 0xe0
  packet.writeUInt16BE(0x8000 | pictureId, 14)
  packet[16] = baseIndex
  packet[17] = 0
  packet[18] = isKeyFrame ? 0x10 : 0x11
  if (wanted.height !== undefined) writeSize(packet, wanted.height)
  if (wanted.isLast) packet[1] = payloadType | 0x80
  return withHeader(packet, wanted)
}

/** Writes the first twelve bytes of a packet: RFC 3550, 5.1. */
export function writeFixedHeader(
  packet: Buffer,
  { sequence, timestamp = 0, ssrc = 77 }: PacketHeader,
  payloadType: number,
): void {
  packet[0] = 0x80
  packet[1] = payloadType
  packet.writeUInt16BE(sequence, 2)
  packet.writeUInt32BE(timestamp, 4)
  packet.writeUInt32BE(ssrc, 8)
}

/** Writes the start code, width and height of a key frame (RFC 6386, 9.1). */
function writeSize(packet: Buffer, height: number): void {
  packet.writeUIntBE(0x9d_01_2a, 21, 3)
  packet.writeUInt16LE((height * 16) / 9, 24)
  packet.writeUInt16LE(height, 26)
}

/** Adds header extensions with one-byte headers, and to a retransmitted packet its original sequence number. */
export function withHeader(packet: Buffer, { extensions = {}, repairs }: PacketHeader): Buffer {
  const elements = Object.entries(extensions).map(([id, text]) =>
    Buffer.concat([Buffer.from([(Number(id) << 4) | (text.length - 1)]), Buffer.from(text, 'latin1')]),
  )
  const bytes = Buffer.concat(elements)
  const words = Math.ceil(bytes.length / 4)
  const extension = Buffer.alloc(words === 0 ? 0 : 4 + words * 4)
  if (words > 0) {
    packet[0] = 0x90
    extension.writeUInt16BE(0xbe_de, 0)
    extension.writeUInt16BE(words, 2)
    bytes.copy(extension, 4)
  }
  const number = Buffer.alloc(repairs === undefined ? 0 : 2)
  if (repairs !== undefined) number.writeUInt16BE(repairs, 0)
  return Buffer.concat([packet.subarray(0, HEADER_BYTES), extension, number, packet.subarray(HEADER_BYTES)])
}

/** Reads a packet that `vp8Packet` has made and a forwarder has rewritten. */
export function readVp8Packet(packet: Buffer) {
  return {
    payloadType: (packet[1] ?? 0) & 127,
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    ssrc: packet.readUInt32BE(8),
    pictureId: packet.readUInt16BE(14) & 0x7fff,
    baseIndex: packet[16],
  }
}
