const START_CODE = 0x9d_01_2a

/** Returns a VP8 frame of 320 × 240 with a valid header (RFC 6386, 9.1), filled with the low byte of `content`, which counts frames. */
export function vp8Frame(isKeyFrame: boolean, content: number, bytes = 4000): Uint8Array {
  const frame = Buffer.alloc(bytes, content & 0xff)
  const partitionBytes = bytes - 10
  frame[0] = (isKeyFrame ? 0 : 1) | 0x10 | ((partitionBytes & 7) << 5)
  frame.writeUInt16LE((partitionBytes >> 3) & 0xffff, 1)
  if (!isKeyFrame) return frame
  frame.writeUIntBE(START_CODE, 3, 3)
  frame.writeUInt16LE(320, 6)
  frame.writeUInt16LE(240, 8)
  return frame
}
