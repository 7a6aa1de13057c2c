/** A packet of VP8 as browsers send it: a picture id of 15 bits, and an index of the base layer. */
export interface Vp8Packet {
  readonly sequence: number
  readonly timestamp?: number
  readonly ssrc?: number
  readonly pictureId?: number
  readonly baseIndex?: number
  /** The frame needs no frame before it. */
  readonly isKeyFrame?: boolean
  /** False for a later packet of a frame. */
  readonly isFirst?: boolean
  readonly payloadType?: number
  readonly body?: number
}

const HEADER_BYTES = 12
const DESCRIPTOR_BYTES = 6

export function vp8Packet(wanted: Vp8Packet): Buffer {
  const { sequence, timestamp = 0, ssrc = 77, pictureId = 0, baseIndex = 0 } = wanted
  const { isKeyFrame = false, isFirst = true, payloadType = 96, body = 9 } = wanted
  const packet = Buffer.alloc(HEADER_BYTES + DESCRIPTOR_BYTES + 20, body)
  packet[0] = 0x80
  packet[1] = payloadType
  packet.writeUInt16BE(sequence, 2)
  packet.writeUInt32BE(timestamp, 4)
  packet.writeUInt32BE(ssrc, 8)
  packet[12] = isFirst ? 0x90 : 0x80
  packet[13] = 0xe0
  packet.writeUInt16BE(0x8000 | pictureId, 14)
  packet[16] = baseIndex
  packet[17] = 0
  packet[18] = isKeyFrame ? 0x10 : 0x11
  return packet
}

/** Reads a packet that vp8Packet has made, and a forwarder has rewritten. */
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
