import { type Blanked, blank, readUint } from './blanking.ts'
import { ImageRefusal } from './images.ts'

interface Box {
  type: string
  at: number
  /** Start of its content, after its header. */
  start: number
  end: number
}

/** Boxes that contain other boxes, with the number of bytes before the first inner box. */
const CONTAINERS: Readonly<Record<string, number>> = { meta: 4, iprp: 0, ipco: 0, moov: 0, trak: 0, mdia: 0 }
/** Boxes with free text, locations and private formats. */
const BLANKED_BOXES: ReadonlySet<string> = new Set([
  'uuid',
  'udta',
  'xml ',
  'bxml',
  'free',
  'skip',
  'keys',
  'ilst',
])
/** Items with picture data. All other items are blanked: Exif, XMP and unknown types. */
const PICTURE_ITEMS: ReadonlySet<string> = new Set([
  ...['hvc1', 'hev1', 'av01', 'avc1', 'vvc1', 'lhv1', 'grid', 'iovl', 'iden', 'tmap'],
])
const MAX_BOXES = 10_000

/**
 * Overwrites everything in a HEIF or HEIC except its pictures. Boxes stay where they are, because they are
 * referenced by position.
 * @throws ImageRefusal if the file cannot be read to its end
 */
export function blankHeif(bytes: Buffer): Blanked {
  const boxes = boxesIn(bytes, 0, bytes.length)
  const find = (type: string) => boxes.filter((box) => box.type === type)
  const items = find('iinf').flatMap((box) => readItems(bytes, box))
  const metadata = new Set(items.filter(({ type }) => !PICTURE_ITEMS.has(type)).map(({ id }) => id))
  const [idat] = find('idat')
  for (const box of find('iloc')) blankItems(bytes, { box, metadata, idatStart: idat?.start })
  for (const box of boxes.filter(({ type }) => BLANKED_BOXES.has(type))) {
    blank(bytes, box.start, box.end - box.start)
    bytes.write('free', box.at + 4, 'latin1')
  }
  return sizeOf(bytes, find('ispe'), find('irot'))
}

function boxesIn(bytes: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = []
  for (let at = from; at < to; ) {
    const box = boxAt(bytes, at, to)
    boxes.push(box)
    const inner = CONTAINERS[box.type]
    if (inner !== undefined) boxes.push(...boxesIn(bytes, box.start + inner, box.end))
    if (boxes.length > MAX_BOXES) throw new ImageRefusal('invalid_image')
    at = box.end
  }
  return boxes
}

function boxAt(bytes: Buffer, at: number, to: number): Box {
  const short = readUint(bytes, at, 4)
  const type = bytes.toString('latin1', at + 4, at + 8)
  const start = short === 1 ? at + 16 : at + 8
  const long = short === 1 ? readUint(bytes, at + 8, 8) : short
  // Size 0 extends to the end.
  const end = short === 0 ? to : at + long
  if (start > end || end > to) throw new ImageRefusal('invalid_image')
  return { type, at, start, end }
}

interface Item {
  id: number
  type: string
}

function readItems(bytes: Buffer, { start, end }: Box): Item[] {
  const countBytes = readUint(bytes, start, 1) === 0 ? 2 : 4
  return boxesIn(bytes, start + 4 + countBytes, end).map((entry) => {
    const version = readUint(bytes, entry.start, 1)
    if (entry.type !== 'infe' || version < 2) throw new ImageRefusal('invalid_image')
    const idBytes = version === 2 ? 2 : 4
    const typeAt = entry.start + 4 + idBytes + 2
    return {
      id: readUint(bytes, entry.start + 4, idBytes),
      type: bytes.toString('latin1', typeAt, typeAt + 4),
    }
  })
}

/** Reads numbers one after the other. */
class Numbers {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  next(size: number): number {
    const value = readUint(this.#bytes, this.#at, size)
    this.#at += size
    return value
  }
}

interface Located {
  box: Box
  /** Ids of the items to blank. */
  metadata: ReadonlySet<number>
  idatStart: number | undefined
}

function blankItems(bytes: Buffer, { box, metadata, idatStart }: Located): void {
  const version = readUint(bytes, box.start, 1)
  const numbers = new Numbers(bytes, box.start + 4)
  const [sizes, more] = [numbers.next(1), numbers.next(1)]
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, more >> 4]
  const indexBytes = version === 0 ? 0 : more & 15
  const count = numbers.next(version < 2 ? 2 : 4)
  for (let item = 0; item < count; item += 1) {
    const isBlanked = metadata.has(numbers.next(version < 2 ? 2 : 4))
    const method = version === 0 ? 0 : numbers.next(2) & 15
    const reference = numbers.next(2)
    const base = numbers.next(baseBytes) + originOf(method, idatStart)
    const extents = Array.from({ length: numbers.next(2) }, () => {
      numbers.next(indexBytes)
      return { start: base + numbers.next(offsetBytes), length: numbers.next(lengthBytes) }
    })
    if (isBlanked) blankExtents(bytes, extents, method > 1 || reference !== 0)
  }
}

function originOf(method: number, idatStart: number | undefined): number {
  return method === 1 ? (idatStart ?? 0) : 0
}

/** Blanks the data of an item. Refuses data in other files, made of other items or of unknown length: it could remain. */
function blankExtents(
  bytes: Buffer,
  extents: readonly { start: number; length: number }[],
  isElsewhere: boolean,
): void {
  if (isElsewhere || extents.some(({ length }) => length === 0)) throw new ImageRefusal('invalid_image')
  for (const { start, length } of extents) blank(bytes, start, length)
}

/** Returns the size of the whole picture, which is the largest. Other sizes belong to its tiles and thumbnail. */
function sizeOf(bytes: Buffer, sizes: readonly Box[], turns: readonly Box[]): Blanked {
  const known = sizes.map(({ start }) => ({
    width: readUint(bytes, start + 4, 4),
    height: readUint(bytes, start + 8, 4),
  }))
  const [whole] = known.toSorted((one, other) => other.width * other.height - one.width * one.height)
  if (whole === undefined) return { width: null, height: null }
  const isTurned = turns.some(({ start }) => readUint(bytes, start, 1) % 2 === 1)
  return isTurned ? { width: whole.height, height: whole.width } : whole
}
