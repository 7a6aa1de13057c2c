/**
 * Maximum bytes of a frame in one packet: with RTP, SRTP, UDP and IPv6 headers, the packet fits usual MTUs. Browsers
 * use this size, too.
 */
const MAX_PART_BYTES = 1180
const STARTS_FRAME = 0x10
const HAS_EXTENSION = 0x80
const HAS_PICTURE_ID = 0x80

/** One packet's part of a VP8 frame, after its descriptor. */
export interface Vp8Part {
  readonly startsFrame: boolean
  /** True for the first part of a key frame. */
  readonly startsKeyFrame: boolean
  readonly bytes: Uint8Array
}

/**
 * Splits a frame into the payloads of its packets, each with a descriptor: RFC 7741, 4.2.
 * @param pictureId 15 bits, increased by one with each frame
 */
export function vp8PayloadsOf(frame: Uint8Array, pictureId: number): Uint8Array[] {
  const count = Math.ceil(frame.length / MAX_PART_BYTES)
  // All parts are of nearly the same size: a short last packet would need a header for a few bytes.
  const size = Math.ceil(frame.length / count)
  return Array.from({ length: count }, (_, at) => {
    const part = frame.subarray(at * size, (at + 1) * size)
    const first = at === 0 ? HAS_EXTENSION | STARTS_FRAME : HAS_EXTENSION
    const descriptor = [first, HAS_PICTURE_ID, 0x80 | (pictureId >> 8), pictureId & 0xff]
    return Buffer.concat([Uint8Array.from(descriptor), part])
  })
}

/** Parses a packet's payload; undefined if no data follows the VP8 descriptor. */
export function readVp8Payload(payload: Uint8Array): Vp8Part | undefined {
  const [first = 0] = payload
  const start = first & HAS_EXTENSION ? endOfExtension(payload) : 1
  if (start >= payload.length) return undefined
  const bytes = payload.subarray(start)
  const startsFrame = (first & STARTS_FRAME) !== 0 && (first & 0x07) === 0
  return { startsFrame, startsKeyFrame: startsFrame && ((bytes[0] ?? 1) & 1) === 0, bytes }
}

/** Returns the index after the extension: a picture id of one or two bytes, a TL0PICIDX byte, and a byte for other fields. */
function endOfExtension(payload: Uint8Array): number {
  const present = payload[1] ?? 0
  const idBytes = present & 0x80 ? ((payload[2] ?? 0) & 0x80 ? 2 : 1) : 0
  return 2 + idBytes + (present & 0x40 ? 1 : 0) + (present & 0x30 ? 1 : 0)
}
