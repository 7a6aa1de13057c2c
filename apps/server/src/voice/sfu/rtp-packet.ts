export const HEADER_BYTES = 12
const MAX_PACKET_BYTES = 1300
/** RFC 5761: RTCP on the same port appears to have one of these payload types. */
const RTCP_PAYLOAD_TYPES = { first: 64, last: 95 }
/** RFC 8285: marks extensions with one-byte headers. Two-byte headers are not negotiated. */
export const ONE_BYTE_EXTENSIONS = 0xbe_de
/** Audio level of silence, in -dBov: RFC 6464. */
const SILENCE_LEVEL = 127
/** Largest payload that counts as silence. During silence, Opus with DTX sends frames of up to two bytes. */
const MAX_SILENT_BYTES = 3

/**
 * The current packet. One object serves all packets, one after the other, because each is forwarded before the next
 * is read.
 */
export class RtpPacket {
  sequence = 0
  timestamp = 0
  ssrc = 0
  payloadType = 0
  marker = false
  /** 0 is the loudest, 127 is silence. */
  level = SILENCE_LEVEL
  /** Space for a header of 12 bytes, and the payload, without the sender's CSRCs, extensions and padding. */
  bytes: Buffer = Buffer.alloc(0)

  /**
   * @param levelExtension id of the audio level extension, if the sender uses it
   * @returns whether the packet can be forwarded
   */
  read(received: Buffer, levelExtension: number | undefined): boolean {
    if (received.length <= HEADER_BYTES || received.length > MAX_PACKET_BYTES) return false
    const first = received[0] ?? 0
    if (first >> 6 !== 2) return false
    const start = HEADER_BYTES + (first & 0x0f) * 4
    const payloadStart = first & 0x10 ? endOfExtensions(received, start) : start
    const payloadEnd = first & 0x20 ? received.length - (received.at(-1) ?? 0) : received.length
    if (payloadEnd <= payloadStart) return false
    this.#readHeader(received)
    this.level = levelOf(received, { start, payloadStart, payloadEnd, levelExtension })
    this.bytes = received.subarray(payloadStart - HEADER_BYTES, payloadEnd)
    return true
  }

  #readHeader(received: Buffer): void {
    const second = received[1] ?? 0
    this.marker = second > 127
    this.payloadType = second & 127
    this.sequence = received.readUInt16BE(2)
    this.timestamp = received.readUInt32BE(4)
    this.ssrc = received.readUInt32BE(8)
  }
}

export function isRtcp(received: Buffer): boolean {
  return isRtcpType((received[1] ?? 0) & 127)
}

/** @param payloadType 0 to 127 */
export function isRtcpType(payloadType: number): boolean {
  return payloadType >= RTCP_PAYLOAD_TYPES.first && payloadType <= RTCP_PAYLOAD_TYPES.last
}

export function ssrcOf(received: Buffer): number {
  return received.length < HEADER_BYTES ? 0 : received.readUInt32BE(8)
}

/** Returns the offset at which the header extensions end. If they are cut off, it is at or past the packet's end. */
export function endOfExtensions(received: Buffer, start: number): number {
  if (start + 4 > received.length) return received.length
  return start + 4 + received.readUInt16BE(start + 2) * 4
}

interface Layout {
  start: number
  payloadStart: number
  payloadEnd: number
  levelExtension: number | undefined
}

/** Returns the audio level. Without the extension, any packet larger than silence counts as loud. */
function levelOf(received: Buffer, { start, payloadStart, payloadEnd, levelExtension }: Layout): number {
  if (levelExtension === undefined) return payloadEnd - payloadStart > MAX_SILENT_BYTES ? 0 : SILENCE_LEVEL
  if (payloadStart === start || received.readUInt16BE(start) !== ONE_BYTE_EXTENSIONS) return SILENCE_LEVEL
  let at = start + 4
  while (at < payloadStart) {
    const head = received[at] ?? 0
    if (head >> 4 === levelExtension) return (received[at + 1] ?? SILENCE_LEVEL) & 127
    // Padding is a zero byte. Any other element has one more byte than its length says.
    at += head === 0 ? 1 : 2 + (head & 0x0f)
  }
  return SILENCE_LEVEL
}
