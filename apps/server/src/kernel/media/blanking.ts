import { ImageRefusal } from './images.ts'

/** What was read of a picture that is kept as it is but for its metadata. */
export interface Blanked {
  width: number | null
  height: number | null
}

/** @throws ImageRefusal for a range that the file does not have: what points outside was never read rightly */
export function blank(bytes: Buffer, start: number, length: number): void {
  if (start < 0 || length < 0 || start + length > bytes.length) throw new ImageRefusal('invalid_image')
  bytes.fill(0, start, start + length)
}

/** @throws ImageRefusal when a number of so many bytes is not there */
export function readUint(bytes: Buffer, at: number, size: number): number {
  if (at < 0 || at + size > bytes.length) throw new ImageRefusal('invalid_image')
  if (size === 0) return 0
  if (size <= 4) return bytes.readUIntBE(at, size)
  const value = bytes.readBigUInt64BE(at)
  if (value > BigInt(bytes.length)) throw new ImageRefusal('invalid_image')
  return Number(value)
}
