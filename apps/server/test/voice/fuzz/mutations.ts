import type { Random } from '../../fuzz/random.ts'

/** Values at which lengths and counters wrap around. */
const EDGES = [0, 1, 0x7f, 0x80, 0xfe, 0xff]
const MAX_ADDED_BYTES = 40
const MAX_CHANGES = 6

export function below(random: Random, bound: number): number {
  return Math.floor(random.next() * bound)
}

/** Returns a copy that is cut, lengthened, joined with another seed, changed in some bytes, or sometimes unchanged. */
export function mutate(bytes: Buffer, others: readonly Buffer[], random: Random): Buffer {
  const copy = resize(bytes, others, random)
  for (let changes = below(random, MAX_CHANGES); changes > 0 && copy.length > 0; changes -= 1)
    copy[placeIn(copy, random)] = random.isWithin(0.3) ? random.pick(EDGES) : below(random, 256)
  return copy
}

function resize(bytes: Buffer, others: readonly Buffer[], random: Random): Buffer {
  const way = below(random, 10)
  if (way === 0) return Buffer.from(bytes.subarray(0, below(random, bytes.length + 1)))
  if (way === 1)
    return Buffer.concat([bytes, Buffer.alloc(below(random, MAX_ADDED_BYTES), below(random, 256))])
  if (way === 2) {
    const other = random.pick(others)
    return Buffer.concat([
      bytes.subarray(0, below(random, bytes.length + 1)),
      other.subarray(below(random, other.length + 1)),
    ])
  }
  return Buffer.from(bytes)
}

/** Picks a position, more often near the start: headers have more to break than payloads. */
function placeIn({ length }: Buffer, random: Random): number {
  return below(random, random.isWithin(0.6) ? Math.min(length, 32) : length)
}

/** Returns the lines of a text, some of which are removed, repeated, moved, or changed. */
export function mutateLines(lines: readonly string[], random: Random): string[] {
  const changed = [...lines]
  for (let changes = 1 + below(random, MAX_CHANGES); changes > 0; changes -= 1) changeLine(changed, random)
  return changed
}

function changeLine(lines: string[], random: Random): void {
  const at = below(random, lines.length)
  const line = lines[at] ?? ''
  const way = below(random, 6)
  if (way === 0) lines.splice(at, 1)
  if (way === 1) lines.splice(below(random, lines.length), 0, line)
  if (way === 2) lines.splice(at, 0, ...Array<string>(below(random, 60)).fill(line))
  if (way === 3) lines[at] = line.slice(0, below(random, line.length + 1))
  if (way === 4)
    lines[at] = line.replace(/\d+/, () => random.pick(['0', '65536', '4294967296', '-1', '1e9', '']))
  if (way === 5)
    lines[at] = mutate(Buffer.from(line, 'latin1'), [Buffer.from(':;,= /~')], random).toString('latin1')
}
