/** Returns true for the bytes of an animated picture. Cropping it in the browser would keep only the first frame. */
export function isAnimated(bytes: Uint8Array): boolean {
  const kind = kinds.find(({ begins }) => begins(bytes))
  return kind?.isAnimated(bytes) ?? false
}

interface Kind {
  begins(bytes: Uint8Array): boolean
  isAnimated(bytes: Uint8Array): boolean
}

const ANIMATION_FLAG = 0x02

const kinds: readonly Kind[] = [
  { begins: (bytes) => textAt(bytes, 0, 3) === 'GIF', isAnimated: (bytes) => hasFrames(bytes, 2) },
  {
    begins: (bytes) => textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP',
    isAnimated: (bytes) => textAt(bytes, 12, 4) === 'VP8X' && ((bytes[20] ?? 0) & ANIMATION_FLAG) !== 0,
  },
  { begins: (bytes) => textAt(bytes, 1, 3) === 'PNG', isAnimated: isAnimatedPng },
  {
    begins: (bytes) => textAt(bytes, 4, 4) === 'ftyp',
    isAnimated: (bytes) => textAt(bytes, 8, 4) === 'avis',
  },
]

/** Looks for the animation chunk (acTL), which comes before the first image data. */
function isAnimatedPng(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 8
  while (at + 12 <= bytes.length) {
    const type = textAt(bytes, at + 4, 4)
    if (type === 'acTL' || type === 'IDAT') return type === 'acTL'
    at += 12 + view.getUint32(at)
  }
  return false
}

const HEADER = 13
const EXTENSION = 0x21
const FRAME = 0x2c

function hasFrames(bytes: Uint8Array, wanted: number): boolean {
  let frames = 0
  let at = HEADER + colorTableLength(bytes[10] ?? 0)
  while (at < bytes.length && frames < wanted) {
    const block = bytes[at]
    if (block !== EXTENSION && block !== FRAME) return false
    if (block === FRAME) frames += 1
    // A frame has a position, a color table, one byte and data. An extension has one byte and data.
    const data = block === FRAME ? 11 + colorTableLength(bytes[at + 9] ?? 0) : 2
    at = afterData(bytes, at + data)
  }
  return frames === wanted
}

function colorTableLength(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1)
}

/** Skips data blocks. Each begins with its length, and a block of length 0 is the last. */
function afterData(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0)
  return at + 1
}

function textAt(bytes: Uint8Array, start: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(start, start + length))
}
