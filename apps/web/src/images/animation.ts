/** Whether a picture moves, by its bytes. Cropping it here would leave its first frame only. */
export function isAnimated(bytes: Uint8Array): boolean {
  const kind = kinds.find(({ begins }) => begins(bytes))
  return kind?.moves(bytes) ?? false
}

interface Kind {
  begins(bytes: Uint8Array): boolean
  moves(bytes: Uint8Array): boolean
}

const ANIMATION_FLAG = 0x02

const kinds: readonly Kind[] = [
  { begins: (bytes) => textAt(bytes, 0, 3) === 'GIF', moves: (bytes) => hasFrames(bytes, 2) },
  {
    begins: (bytes) => textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP',
    moves: (bytes) => textAt(bytes, 12, 4) === 'VP8X' && ((bytes[20] ?? 0) & ANIMATION_FLAG) !== 0,
  },
  { begins: (bytes) => textAt(bytes, 1, 3) === 'PNG', moves: isAnimatedPng },
  { begins: (bytes) => textAt(bytes, 4, 4) === 'ftyp', moves: (bytes) => textAt(bytes, 8, 4) === 'avis' },
]

/** The chunk that says so comes before the first picture. */
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
    // A frame: its place, its colours, one byte and its data. An extension: one byte and its data.
    const data = block === FRAME ? 11 + colorTableLength(bytes[at + 9] ?? 0) : 2
    at = afterData(bytes, at + data)
  }
  return frames === wanted
}

function colorTableLength(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1)
}

/** Data stands in pieces, each after its length; one of no length ends it. */
function afterData(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0)
  return at + 1
}

function textAt(bytes: Uint8Array, start: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(start, start + length))
}
