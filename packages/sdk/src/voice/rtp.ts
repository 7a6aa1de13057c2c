const HEADER_BYTES = 12
/** Payload types that mark RTCP packets on the shared port (RFC 5761). */
const RTCP_PAYLOAD_TYPES = { first: 64, last: 95 }
export const OPUS_PAYLOAD_TYPE = 111
export const VP8_PAYLOAD_TYPE = 96
/** The RTP clock of Opus, independent of the sample rate. */
export const OPUS_TICKS_PER_MS = 48
export const VP8_TICKS_PER_MS = 90

export interface RtpPacket {
  readonly ssrc: number
  readonly sequence: number
  readonly timestamp: number
  /** True for the first packet of a talk spurt, and for the last packet of a picture's frame. */
  readonly marker: boolean
  /** Empty in a packet with only padding. */
  readonly payload: Uint8Array
}

/** Parses a media packet. Returns undefined for anything else. */
export function readRtp(bytes: Buffer): RtpPacket | undefined {
  if (bytes.length <= HEADER_BYTES || isRtcp(bytes)) return undefined
  const first = bytes[0] ?? 0
  const start = HEADER_BYTES + (first & 0x0f) * 4
  const from = first & 0x10 ? endOfExtensions(bytes, start) : start
  const to = first & 0x20 ? bytes.length - (bytes.at(-1) ?? 0) : bytes.length
  if (first >> 6 !== 2 || from > to) return undefined
  return {
    ssrc: bytes.readUInt32BE(8),
    sequence: bytes.readUInt16BE(2),
    timestamp: bytes.readUInt32BE(4),
    marker: (bytes[1] ?? 0) > 127,
    payload: bytes.subarray(from, to),
  }
}

export function isRtcp(bytes: Buffer): boolean {
  const payloadType = (bytes[1] ?? 0) & 127
  return payloadType >= RTCP_PAYLOAD_TYPES.first && payloadType <= RTCP_PAYLOAD_TYPES.last
}

export function writeRtp(
  { ssrc, sequence, timestamp, marker, payload }: RtpPacket,
  payloadType = OPUS_PAYLOAD_TYPE,
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header[0] = 0x80
  header[1] = marker ? payloadType | 0x80 : payloadType
  header.writeUInt16BE(sequence & 0xffff, 2)
  header.writeUInt32BE(timestamp >>> 0, 4)
  header.writeUInt32BE(ssrc, 8)
  return Buffer.concat([header, payload])
}

/** Returns the index after the header extensions. It is beyond the packet if their length field is wrong. */
function endOfExtensions(bytes: Buffer, start: number): number {
  return start + 4 > bytes.length ? bytes.length + 1 : start + 4 + bytes.readUInt16BE(start + 2) * 4
}
