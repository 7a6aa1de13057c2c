/** Maximum leading zeros of a variable-length number, because the numbers have at most 32 bits. */
const MAX_ZEROS = 32

/** Reads bits, the highest of each byte first. After the end, it reads zeros. */
export class BitReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** @param count at most 32 */
  read(count: number): number {
    let value = 0
    for (let bit = 0; bit < count; bit += 1) value = value * 2 + this.#next()
    return value
  }

  skip(count: number): void {
    this.#at += count
  }

  isSet(): boolean {
    return this.#next() === 1
  }

  /** Reads a number of variable length: ue(v) of H.264 (9.1), and uvlc() of AV1 (4.10.3). */
  readExponential(): number {
    let zeros = 0
    while (zeros < MAX_ZEROS && this.#next() === 0) zeros += 1
    return 2 ** zeros - 1 + this.read(zeros)
  }

  #next(): number {
    const byte = this.#bytes[this.#at >> 3] ?? 0
    const bit = (byte >> (7 - (this.#at & 7))) & 1
    this.#at += 1
    return bit
  }
}
