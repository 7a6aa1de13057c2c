/** The parts of a VP8 payload descriptor (RFC 7741, 4.2) that matter to a forwarder. */
export interface Vp8Fields {
  /** True for the first packet of a frame that needs no frame before it. */
  startsKeyFrame: boolean
  /** Height in pixels, at the start of a key frame; 0 if it does not say. */
  height: number
  /** Offset of the picture id; 0 if there is none. */
  pictureIdAt: number
  pictureId: number
  /** True if the picture id has 15 bits, not 7. */
  hasLongId: boolean
  /** Offset of the index of the temporal base layer (TL0PICIDX); 0 if there is none. */
  baseIndexAt: number
  baseIndex: number
}

const START_CODE = 0x9d_01_2a

/**
 * Reads the descriptor at the start of a payload into the fields.
 * @returns false if the payload is too short for what its descriptor says
 */
export function readVp8(bytes: Buffer, start: number, into: Vp8Fields): boolean {
  const first = bytes[start] ?? 0
  into.pictureIdAt = 0
  into.baseIndexAt = 0
  const frameAt = first & 0x80 ? readExtension(bytes, start + 1, into) : start + 1
  if (frameAt >= bytes.length) return false
  const startsFrame = (first & 0x10) !== 0 && (first & 0x07) === 0
  into.startsKeyFrame = startsFrame && ((bytes[frameAt] ?? 1) & 1) === 0
  into.height = into.startsKeyFrame ? heightOf(bytes, frameAt) : 0
  return true
}

/** Reads the height in a key frame (RFC 6386, 9.1): a tag of three bytes, a start code, width and height with two scale bits. */
function heightOf(bytes: Buffer, frameAt: number): number {
  if (bytes.length < frameAt + 10 || bytes.readUIntBE(frameAt + 3, 3) !== START_CODE) return 0
  return bytes.readUInt16LE(frameAt + 8) & 0x3fff
}

/** @returns where the frame begins, which may be past the end */
function readExtension(bytes: Buffer, start: number, into: Vp8Fields): number {
  const present = bytes[start] ?? 0
  let at = start + 1
  if (present & 0x80) {
    const first = bytes[at] ?? 0
    into.pictureIdAt = at
    into.hasLongId = (first & 0x80) !== 0
    into.pictureId = into.hasLongId ? ((first & 0x7f) << 8) | (bytes[at + 1] ?? 0) : first
    at += into.hasLongId ? 2 : 1
  }
  if (present & 0x40) {
    into.baseIndexAt = at
    into.baseIndex = bytes[at] ?? 0
    at += 1
  }
  return present & 0x30 ? at + 1 : at
}
