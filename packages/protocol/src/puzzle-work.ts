// The hashing of puzzles. It is separate from their schemas, because workers in browsers load it.

const BLOCK_BYTES = 64

/**
 * The message of a part. Each block of SHA-256 has the nonce (4 bytes, big-endian), the seed (32 bytes), the number of
 * the part and the position of the block (4 bytes each), and zeros. The nonce comes first, so that no work can be
 * shared between nonces.
 */
export class PuzzleMessage {
  readonly #bytes: Uint8Array<ArrayBuffer>
  readonly #view: DataView

  /** @param seed the SHA-256 of the puzzle's token */
  constructor(seed: Uint8Array, part: number, messageBytes: number) {
    this.#bytes = new Uint8Array(messageBytes)
    this.#view = new DataView(this.#bytes.buffer)
    for (let at = 0; at < messageBytes; at += BLOCK_BYTES) {
      this.#bytes.set(seed, at + 4)
      this.#view.setUint32(at + 36, part)
      this.#view.setUint32(at + 40, at)
    }
  }

  /** Returns the message with this nonce. The next call overwrites it. */
  at(nonce: number): Uint8Array<ArrayBuffer> {
    for (let at = 0; at < this.#bytes.length; at += BLOCK_BYTES) this.#view.setUint32(at, nonce)
    return this.#bytes
  }
}

/** Returns whether the SHA-256 of a part's message solves the part. */
export function solvesPart(digest: Uint8Array, tries: number): boolean {
  const first = new DataView(digest.buffer, digest.byteOffset).getUint32(0)
  return first * tries < 2 ** 32
}
