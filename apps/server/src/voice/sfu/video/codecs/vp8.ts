import { type CodecFields, readBaseIndex, readPictureId } from './codec-fields.ts'

const START_CODE = 0x9d_01_2a

/** Reads a payload of VP8: RFC 7741, 4.2. */
export function readVp8(bytes: Buffer, start: number, into: CodecFields): boolean {
  const first = bytes[start] ?? 0
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

/** @returns the offset at which the frame begins, which may be past the end */
function readExtension(bytes: Buffer, start: number, into: CodecFields): number {
  const present = bytes[start] ?? 0
  let at = start + 1
  if (present & 0x80) at = readPictureId(bytes, at, into)
  if (present & 0x40) at = readBaseIndex(bytes, at, into)
  return present & 0x30 ? at + 1 : at
}
