import { ImageRefusal } from './images.ts'

/** The displayed size, in pixels, of a picture whose metadata was overwritten; null if it is unknown. */
export interface Blanked {
  width: number | null
  height: number | null
}

/** @throws ImageRefusal for a range outside the file, which means that its pointer was misread */
export function blank(bytes: Buffer, start: number, length: number): void {
  if (start < 0 || length < 0 || start + length > bytes.length) throw new ImageRefusal('invalid_image')
  bytes.fill(0, start, start + length)
}

/** @throws ImageRefusal if the file ends before the number does */
export function readUint(bytes: Buffer, at: number, size: number): number {
  if (at < 0 || at + size > bytes.length) throw new ImageRefusal('invalid_image')
  if (size === 0) return 0
  if (size <= 4) return bytes.readUIntBE(at, size)
  const value = bytes.readBigUInt64BE(at)
  if (value > BigInt(bytes.length)) throw new ImageRefusal('invalid_image')
  return Number(value)
}
