/**
 * SHA-256 for pages that were not loaded over HTTPS, where browsers lack `crypto.subtle`. This is several times slower.
 * Source: FIPS 180-4, section 6.2.
 */
export function sha256(bytes: Uint8Array): Uint8Array {
  const state = Int32Array.from(INITIAL)
  const words = new Int32Array(64)
  const padded = padding(bytes)
  const wholeBytes = bytes.length - (bytes.length % BLOCK_BYTES)
  compressAll(state, words, new DataView(bytes.buffer, bytes.byteOffset, wholeBytes))
  compressAll(state, words, new DataView(padded.buffer))
  const digest = new DataView(new ArrayBuffer(32))
  for (const [index, word] of state.entries()) digest.setInt32(index * 4, word)
  return new Uint8Array(digest.buffer)
}

const BLOCK_BYTES = 64
/** Message bytes that fit into the last block, besides the length (eight bytes) and the end marker (one byte). */
const MAX_LAST_BYTES = BLOCK_BYTES - 9

/** Returns the last one or two blocks: the rest of the message, the end marker and the length in bits. */
function padding(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const rest = bytes.subarray(bytes.length - (bytes.length % BLOCK_BYTES))
  const padded = new Uint8Array(rest.length > MAX_LAST_BYTES ? 2 * BLOCK_BYTES : BLOCK_BYTES)
  padded.set(rest)
  padded[rest.length] = 0x80
  new DataView(padded.buffer).setUint32(padded.length - 4, bytes.length * 8)
  return padded
}

function compressAll(state: Int32Array, words: Int32Array, blocks: DataView): void {
  for (let at = 0; at < blocks.byteLength; at += BLOCK_BYTES) {
    for (let index = 0; index < 16; index += 1) words[index] = blocks.getInt32(at + index * 4)
    expand(words)
    compress(state, words)
  }
}

// Array accesses below are always within bounds, so `?? 0` never applies. `| 0` makes the engine use integer arithmetic.

function expand(words: Int32Array): void {
  for (let index = 16; index < 64; index += 1) {
    const two = words[index - 2] ?? 0
    const fifteen = words[index - 15] ?? 0
    const high = turn(two, 17) ^ turn(two, 19) ^ (two >>> 10)
    const low = turn(fifteen, 7) ^ turn(fifteen, 18) ^ (fifteen >>> 3)
    words[index] = (high + (words[index - 7] ?? 0) + low + (words[index - 16] ?? 0)) | 0
  }
}

function compress(state: Int32Array, words: Int32Array): void {
  const at = (index: number) => state[index] ?? 0
  let [a, b, c, d, e, f, g, h] = [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)]
  for (let index = 0; index < 64; index += 1) {
    const chosen = (e & f) ^ (~e & g)
    const turnedE = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const first = (h + turnedE + chosen + (ROUNDS[index] ?? 0) + (words[index] ?? 0)) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  const added = [a, b, c, d, e, f, g, h]
  for (let index = 0; index < 8; index += 1) state[index] = at(index) + (added[index] ?? 0)
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

function primes(count: number): number[] {
  const found: number[] = []
  for (let candidate = 2; found.length < count; candidate += 1)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate)
  return found
}

/** Returns the first 32 bits of the number's fractional part. */
function fractionBits(value: number): number {
  return ((value - Math.floor(value)) * 2 ** 32) | 0
}

const INITIAL = primes(8).map((prime) => fractionBits(Math.sqrt(prime)))
const ROUNDS = Int32Array.from(primes(64), (prime) => fractionBits(Math.cbrt(prime)))
