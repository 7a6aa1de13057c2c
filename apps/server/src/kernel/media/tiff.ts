import { type Blanked, blank } from './blanking.ts'
import { ImageRefusal } from './images.ts'

/** Tags that a decoder needs to show the picture. All others are blanked: locations, cameras, names, times. */
const KEPT_TAGS: ReadonlySet<number> = new Set([
  ...[
    254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283, 284,
  ],
  ...[290, 291, 292, 293, 296, 297, 301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 330, 332, 334, 336],
  ...[338, 339, 340, 341, 342, 347, 529, 530, 531, 532, 34675],
])
const WIDTH = 256
const HEIGHT = 257
const ORIENTATION = 274
const SUB_IFDS = 330
/** Tags that point to IFDs (image file directories) with metadata: camera, location, interoperability. */
const METADATA_IFDS: ReadonlySet<number> = new Set([0x8769, 0x8825, 0xa005])
/** Bytes of a value by its type. */
const TYPE_BYTES: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
const ENTRY_BYTES = 12
const MAX_IFDS = 1000

interface Entry {
  tag: number
  /** Position of the entry's twelve bytes. */
  at: number
  start: number
  length: number
  /** First number of the value. */
  value: number
}

/**
 * Removes all tags of a TIFF that are not needed to show it, and overwrites their values.
 * @throws ImageRefusal if the file cannot be read to its end
 */
export function blankTiff(bytes: Buffer): Blanked {
  const walk = new Walk(bytes)
  const [first] = walk.ifds(walk.uint(4, 4))
  const find = (tag: number) => first?.find((entry) => entry.tag === tag)?.value ?? null
  const [width, height] = [find(WIDTH), find(HEIGHT)]
  // From the fifth orientation on, the picture is rotated by a quarter turn.
  return (find(ORIENTATION) ?? 1) >= 5 ? { width: height, height: width } : { width, height }
}

class Walk {
  readonly #bytes: Buffer
  readonly #isLittle: boolean
  readonly #seen = new Set<number>()

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#isLittle = bytes.toString('latin1', 0, 2) === 'II'
    if (this.uint(2, 2) !== 42) throw new ImageRefusal('invalid_image')
  }

  uint(at: number, size: 1 | 2 | 4): number {
    if (at + size > this.#bytes.length) throw new ImageRefusal('invalid_image')
    return this.#isLittle ? this.#bytes.readUIntLE(at, size) : this.#bytes.readUIntBE(at, size)
  }

  /** Cleans the IFD at this position and all that follow, and returns their entries. */
  ifds(start: number): Entry[][] {
    const found: Entry[][] = []
    for (let at = start; at !== 0; ) {
      this.#enter(at)
      const entries = this.#entriesAt(at)
      const next = this.uint(at + 2 + entries.length * ENTRY_BYTES, 4)
      found.push(entries)
      this.#clean(at, entries, next)
      at = next
    }
    return found
  }

  #enter(at: number): void {
    if (this.#seen.has(at) || this.#seen.size >= MAX_IFDS) throw new ImageRefusal('invalid_image')
    this.#seen.add(at)
  }

  #entriesAt(ifd: number): Entry[] {
    return Array.from({ length: this.uint(ifd, 2) }, (_, index) => {
      const at = ifd + 2 + index * ENTRY_BYTES
      const [type, count] = [this.uint(at + 2, 2), this.uint(at + 4, 4)]
      const size = TYPE_BYTES[type] ?? 1
      const length = size * count
      const start = length > 4 ? this.uint(at + 8, 4) : at + 8
      const value = this.uint(start, size === 2 ? 2 : size === 1 ? 1 : 4)
      return { tag: this.uint(at, 2), at, start, length, value }
    })
  }

  /** Rewrites the IFD with only the kept entries, and blanks the values of the others. */
  #clean(ifd: number, entries: readonly Entry[], next: number): void {
    const kept = entries.filter(({ tag }) => KEPT_TAGS.has(tag))
    const lines = kept.map(({ at }) => Buffer.from(this.#bytes.subarray(at, at + ENTRY_BYTES)))
    const inner = kept.filter(({ tag }) => tag === SUB_IFDS).flatMap((entry) => this.#pointersOf(entry))
    for (const entry of entries.filter(({ tag }) => !KEPT_TAGS.has(tag))) this.#blankEntry(entry)
    blank(this.#bytes, ifd, 2 + entries.length * ENTRY_BYTES + 4)
    this.#write(ifd, lines.length, 2)
    const end = lines.reduce((at, line) => at + line.copy(this.#bytes, at), ifd + 2)
    this.#write(end, next, 4)
    for (const start of inner) this.ifds(start)
  }

  #pointersOf({ start, length }: Entry): number[] {
    return Array.from({ length: length / 4 }, (_, index) => this.uint(start + index * 4, 4))
  }

  #blankEntry(entry: Entry): void {
    if (METADATA_IFDS.has(entry.tag)) this.#blankIfd(entry.value)
    blank(this.#bytes, entry.start, entry.length)
  }

  #blankIfd(ifd: number): void {
    this.#enter(ifd)
    const entries = this.#entriesAt(ifd)
    for (const entry of entries) this.#blankEntry(entry)
    blank(this.#bytes, ifd, 2 + entries.length * ENTRY_BYTES)
  }

  #write(at: number, value: number, size: 2 | 4): void {
    if (this.#isLittle) this.#bytes.writeUIntLE(value, at, size)
    else this.#bytes.writeUIntBE(value, at, size)
  }
}
