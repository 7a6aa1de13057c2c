import { BitReader } from './bit-reader.ts'
import type { CodecFields } from './codec-fields.ts'

/** NAL unit types: a sequence parameter set, and several units in one packet (STAP-A). */
const PARAMETERS = 7
const AGGREGATE = 24
/** Profiles whose parameters have no chroma format and no scaling lists: Baseline, Main and Extended. */
const PLAIN_PROFILES = new Set([66, 77, 88])
/** Bytes to read of a parameter set: enough to reach the picture size in these profiles. */
const MAX_PARAMETER_BYTES = 64
const MACROBLOCK = 16

/** Reads a payload of H.264: RFC 6184. Senders write the sequence parameters before each key frame. */
export function readH264(bytes: Buffer, start: number, into: CodecFields): boolean {
  if (bytes.length <= start) return false
  const parameters = parametersOf(bytes, start)
  into.startsKeyFrame = parameters !== undefined
  into.height = parameters === undefined ? 0 : heightOf(parameters)
  return true
}

/** Returns the sequence parameter set of the packet. */
function parametersOf(bytes: Buffer, start: number): Buffer | undefined {
  const kind = kindOf(bytes[start])
  if (kind === PARAMETERS) return bytes.subarray(start)
  if (kind !== AGGREGATE) return undefined
  for (let at = start + 1; at + 2 < bytes.length; ) {
    const end = at + 2 + bytes.readUInt16BE(at)
    if (kindOf(bytes[at + 2]) === PARAMETERS) return bytes.subarray(at + 2, end)
    at = end
  }
  return undefined
}

function kindOf(byte = 0): number {
  return byte & 0x1f
}

/** Reads the height from a sequence parameter set (H.264, 7.3.2.1.1); 0 for other profiles. */
function heightOf(unit: Buffer): number {
  const bits = new BitReader(withoutEscapes(unit.subarray(1, MAX_PARAMETER_BYTES)))
  const profile = bits.read(8)
  if (!PLAIN_PROFILES.has(profile)) return 0
  bits.skip(16)
  bits.readExponential()
  bits.readExponential()
  skipOrder(bits)
  bits.readExponential()
  bits.skip(1)
  bits.readExponential()
  const rows = bits.readExponential() + 1
  const isWhole = bits.isSet()
  const scale = isWhole ? 1 : 2
  bits.skip(isWhole ? 1 : 2)
  const height = rows * MACROBLOCK * scale - cropped(bits) * scale
  return height > 0 && height < 2 ** 16 ? height : 0
}

/** Skips the fields about the picture order count. */
function skipOrder(bits: BitReader): void {
  const type = bits.readExponential()
  if (type === 0) bits.readExponential()
  if (type !== 1) return
  bits.skip(1)
  bits.readExponential()
  bits.readExponential()
  const count = Math.min(bits.readExponential(), 255)
  for (let at = 0; at < count; at += 1) bits.readExponential()
}

/**
 * Returns the rows that are cropped at the top and bottom. One cropping unit is two rows, because chroma has half the
 * height.
 */
function cropped(bits: BitReader): number {
  if (!bits.isSet()) return 0
  bits.readExponential()
  bits.readExponential()
  return 2 * (bits.readExponential() + bits.readExponential())
}

/** Removes each byte 3 after two zeros. Encoders insert it, so that a unit contains no start code. */
function withoutEscapes(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, at) => byte !== 3 || bytes[at - 1] !== 0 || bytes[at - 2] !== 0)
}
