import { BitReader } from './bit-reader.ts'
import type { CodecFields } from './codec-fields.ts'

/** Bit of the aggregation header: the packet begins a coded video sequence, which starts with a key frame. */
const BEGINS_SEQUENCE = 0x08
const SEQUENCE_HEADER = 1
/** A part of a packet is shorter than 2 ** 28 bytes, so its length has at most four bytes. */
const MAX_LENGTH_BYTES = 4

/** Reads a payload of AV1: https://aomediacodec.github.io/av1-rtp-spec/ (4.4). */
export function readAv1(bytes: Buffer, start: number, into: CodecFields): boolean {
  const first = bytes[start] ?? 0
  into.startsKeyFrame = (first & BEGINS_SEQUENCE) !== 0
  into.height = into.startsKeyFrame ? heightIn(bytes, start + 1, (first >> 4) & 3) : 0
  return start + 1 < bytes.length
}

/** @param count number of parts, of which the last does not state its length; 0 if every part states its length */
function heightIn(bytes: Buffer, start: number, count: number): number {
  let at = start
  for (let part = 1; at < bytes.length; part += 1) {
    const length = part === count ? { value: bytes.length - at, bytes: 0 } : lengthAt(bytes, at)
    const partAt = at + length.bytes
    at = partAt + length.value
    const header = bytes[partAt] ?? 0
    if (((header >> 3) & 15) === SEQUENCE_HEADER)
      return heightOf(bytes.subarray(partAt + headerBytes(bytes, partAt), at))
  }
  return 0
}

/** Reads a number with seven bits per byte (LEB128). */
function lengthAt(bytes: Buffer, start: number): { value: number; bytes: number } {
  let value = 0
  for (let count = 0; count < MAX_LENGTH_BYTES; count += 1) {
    const byte = bytes[start + count] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * count)
    if (byte < 0x80) return { value, bytes: count + 1 }
  }
  return { value, bytes: MAX_LENGTH_BYTES }
}

/** Returns the length of a part's header (OBU): one byte, one more with an extension, and the length field if there is one. */
function headerBytes(bytes: Buffer, at: number): number {
  const header = bytes[at] ?? 0
  const plain = header & 0x04 ? 2 : 1
  return header & 0x02 ? plain + lengthAt(bytes, at + plain).bytes : plain
}

/** Reads the height from a sequence header: AV1, 5.5.1. */
function heightOf(content: Uint8Array): number {
  if (content.length === 0) return 0
  const bits = new BitReader(content)
  bits.skip(4)
  const isReduced = bits.isSet()
  if (isReduced) bits.skip(5)
  else skipOperatingPoints(bits)
  const widthBits = bits.read(4) + 1
  const heightBits = bits.read(4) + 1
  bits.skip(widthBits)
  return bits.read(heightBits) + 1
}

function skipOperatingPoints(bits: BitReader): void {
  const delayBits = skipTiming(bits)
  const hasInitialDelay = bits.isSet()
  const count = bits.read(5) + 1
  for (let point = 0; point < count; point += 1) {
    bits.skip(12)
    if (bits.read(5) > 7) bits.skip(1)
    if (delayBits > 0 && bits.isSet()) bits.skip(2 * delayBits + 1)
    if (hasInitialDelay && bits.isSet()) bits.skip(4)
  }
}

/** Skips the timing. @returns the size of the decoder model's delays, in bits; 0 if there is no decoder model */
function skipTiming(bits: BitReader): number {
  if (!bits.isSet()) return 0
  bits.skip(64)
  if (bits.isSet()) bits.readExponential()
  if (!bits.isSet()) return 0
  const delayBits = bits.read(5) + 1
  bits.skip(42)
  return delayBits
}
