import { hash } from 'node:crypto'

const LANES = 8
const NEWLINE = 10

/**
 * Counts the rows of a table in COPY's text format, and adds up their SHA-256 in eight lanes of 32 bits. The sum does not
 * depend on the order of the rows, because a restored table may be read in another order.
 */
export class RowSums {
  rows = 0
  readonly #lanes = new Uint32Array(LANES)
  /** Beginning of a row whose end has not been added yet. */
  #rest: Buffer[] = []

  /** Adds the next bytes, which may end within a row. */
  add(bytes: Buffer): void {
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      this.#addRow(bytes.subarray(start, end))
      start = end + 1
    }
    if (start < bytes.length) this.#rest.push(bytes.subarray(start))
  }

  get checksum(): string {
    return Buffer.from(Uint32Array.from(this.#lanes).buffer).toString('hex')
  }

  /** Adds a row. A newline is always the end of a row, because COPY escapes line breaks within values. */
  #addRow(end: Buffer): void {
    const row = this.#rest.length === 0 ? end : Buffer.concat([...this.#rest, end])
    this.#rest = []
    const digest = hash('sha256', row, 'buffer')
    for (let lane = 0; lane < LANES; lane += 1)
      this.#lanes[lane] = (this.#lanes[lane] ?? 0) + digest.readUInt32LE(lane * 4)
    this.rows += 1
  }
}
