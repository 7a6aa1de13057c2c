/** The parts of a packet's payload that matter to a forwarder. */
export interface CodecFields {
  /** True for the first packet of a frame that needs no frame before it. */
  startsKeyFrame: boolean
  /** Height in pixels, at the start of a key frame; 0 if the frame does not state it. */
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

/**
 * Reads the start of a payload into the fields. The caller has set all of them to 0 or false.
 * @returns false if the payload is shorter than its header requires
 */
export type PayloadReader = (bytes: Buffer, start: number, into: CodecFields) => boolean

/** Reads a picture id of VP8 or VP9: 15 bits if the first bit is set, otherwise 7. @returns the offset after it */
export function readPictureId(bytes: Buffer, at: number, into: CodecFields): number {
  const first = bytes[at] ?? 0
  into.pictureIdAt = at
  into.hasLongId = (first & 0x80) !== 0
  into.pictureId = into.hasLongId ? ((first & 0x7f) << 8) | (bytes[at + 1] ?? 0) : first
  return into.hasLongId ? at + 2 : at + 1
}

/** Reads the index of the temporal base layer of VP8 or VP9. @returns the offset after it */
export function readBaseIndex(bytes: Buffer, at: number, into: CodecFields): number {
  into.baseIndexAt = at
  into.baseIndex = bytes[at] ?? 0
  return at + 1
}
