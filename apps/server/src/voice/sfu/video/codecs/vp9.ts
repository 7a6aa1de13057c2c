import { type CodecFields, readBaseIndex, readPictureId } from './codec-fields.ts'

/** Bits of the first byte of the payload descriptor. */
const HAS_PICTURE_ID = 0x80
const IS_PREDICTED = 0x40
const HAS_LAYERS = 0x20
const IS_FLEXIBLE = 0x10
const BEGINS_FRAME = 0x08
const HAS_STRUCTURE = 0x02
/** Maximum frames that a predicted frame can reference in flexible mode. */
const MAX_REFERENCES = 3

/** Reads a payload of VP9: RFC 9628, 4.2. */
export function readVp9(bytes: Buffer, start: number, into: CodecFields): boolean {
  const first = bytes[start] ?? 0
  const isFlexible = (first & IS_FLEXIBLE) !== 0
  const isPredicted = (first & IS_PREDICTED) !== 0
  let at = start + 1
  if (first & HAS_PICTURE_ID) at = readPictureId(bytes, at, into)
  const spatialLayer = first & HAS_LAYERS ? ((bytes[at] ?? 0) >> 1) & 7 : 0
  if (first & HAS_LAYERS) at = isFlexible ? at + 1 : readBaseIndex(bytes, at + 1, into)
  if (isFlexible && isPredicted) at = skipReferences(bytes, at)
  into.startsKeyFrame = !isPredicted && (first & BEGINS_FRAME) !== 0 && spatialLayer === 0
  into.height = into.startsKeyFrame && first & HAS_STRUCTURE ? heightOf(bytes, at) : 0
  return at < bytes.length
}

function skipReferences(bytes: Buffer, start: number): number {
  let at = start
  for (let count = 1; count < MAX_REFERENCES && (bytes[at] ?? 0) & 1; count += 1) at += 1
  return at + 1
}

/** Reads the height of the largest spatial layer in the scalability structure: RFC 9628, 4.2.1. */
function heightOf(bytes: Buffer, start: number): number {
  const first = bytes[start] ?? 0
  const hasSizes = (first & 0x10) !== 0
  const largestAt = start + 1 + (first >> 5) * 4
  return hasSizes && bytes.length >= largestAt + 4 ? bytes.readUInt16BE(largestAt + 2) : 0
}
