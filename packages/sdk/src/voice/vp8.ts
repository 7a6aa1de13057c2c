const TAG_BYTES = 3
const KEY_FRAME_BYTES = 10
const START_CODE = 0x9d_01_2a
const LAST_VERSION = 3
const SIZE_MASK = 0x3fff

/** The header of a VP8 frame: RFC 6386, 9.1. */
export interface Vp8Header {
  /** True if the frame can be decoded without earlier ones. */
  readonly isKeyFrame: boolean
  /** Size of a key frame in pixels; otherwise 0. */
  readonly width: number
  readonly height: number
}

const DELTA_FRAME: Vp8Header = { isKeyFrame: false, width: 0, height: 0 }

/** Parses the header. Returns undefined if the data cannot be one whole VP8 frame. */
export function readVp8Header(frame: Uint8Array): Vp8Header | undefined {
  const [first = 0, second = 0, third = 0] = frame
  if (frame.length <= TAG_BYTES || ((first >> 1) & 7) > LAST_VERSION) return undefined
  const isKeyFrame = (first & 1) === 0
  const headerBytes = isKeyFrame ? KEY_FRAME_BYTES : TAG_BYTES
  const partitionBytes = (first >> 5) | (second << 3) | (third << 11)
  if (partitionBytes === 0 || headerBytes + partitionBytes > frame.length) return undefined
  return isKeyFrame ? readSize(frame) : DELTA_FRAME
}

/** Reads the size of a key frame. The two upper bits of each side are a scaling hint, which no decoder applies itself. */
function readSize(frame: Uint8Array): Vp8Header | undefined {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  const code = (view.getUint8(3) << 16) | view.getUint16(4)
  const width = view.getUint16(6, true) & SIZE_MASK
  const height = view.getUint16(8, true) & SIZE_MASK
  return code === START_CODE && width > 0 && height > 0 ? { isKeyFrame: true, width, height } : undefined
}
