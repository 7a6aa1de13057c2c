const TRANSPORT_FEEDBACK = 205
const ARRIVALS = 15
const HEADER_BYTES = 20
const REFERENCE_MS = 64
const DELTA_MS = 0.25
/** Maximum packets read from one report: more than a client receives in a second. */
const MAX_PACKETS = 3000

/** A packet that was sent to a client, and its time of arrival by the client's clock; undefined if it has not arrived. */
export interface Arrival {
  readonly sequence: number
  readonly arrivedMs: number | undefined
}

/** Extends a reference time of 24 bits, in units of 64 ms, which wraps around every 12 days. */
export class ReferenceTime {
  #ticks: number | undefined

  /** @returns milliseconds of the client's clock */
  ms(ticks: number): number {
    const before = this.#ticks ?? ticks
    this.#ticks = Math.max(0, before + (((ticks - before) << 8) >> 8))
    return this.#ticks * REFERENCE_MS
  }
}

/**
 * Reads transport-cc feedback, which reports arrivals: draft-holmer-rmcat-transport-wide-cc-extensions-01, 3.1.
 * @param part one of the RTCP packets in a compound packet
 * @param most maximum number of packets to read
 * @returns undefined for RTCP of another kind. Anything that is cut off is ignored
 */
export function readArrivals(
  part: Buffer,
  reference: ReferenceTime,
  most = MAX_PACKETS,
): Arrival[] | undefined {
  const isArrivals = part[1] === TRANSPORT_FEEDBACK && ((part[0] ?? 0) & 0x1f) === ARRIVALS
  if (!isArrivals || part.length < HEADER_BYTES) return undefined
  const count = Math.min(part.readUInt16BE(14), MAX_PACKETS, most)
  const { symbols, end } = readSymbols(part, count)
  const first = part.readUInt16BE(12)
  let arrivedMs = reference.ms(part.readUIntBE(16, 3))
  let at = end
  const arrivals: Arrival[] = []
  for (const [index, symbol] of symbols.entries()) {
    const sequence = (first + index) & 0xffff
    if (at + symbol > part.length) return arrivals
    if (symbol > 0) arrivedMs += (symbol === 1 ? (part[at] ?? 0) : part.readInt16BE(at)) * DELTA_MS
    arrivals.push({ sequence, arrivedMs: symbol === 0 ? undefined : arrivedMs })
    at += symbol
  }
  return arrivals
}

/** Size of a packet's receive delta in bytes, by status symbol. The reserved symbol 3 counts as "not received". */
const BYTES_OF_SYMBOL = [0, 1, 2, 0] as const

function readSymbols(part: Buffer, count: number): { symbols: number[]; end: number } {
  const symbols: number[] = []
  let at = HEADER_BYTES
  for (; symbols.length < count && at + 2 <= part.length; at += 2)
    symbols.push(...symbolsIn(part.readUInt16BE(at), count - symbols.length))
  return { symbols: symbols.map((symbol) => BYTES_OF_SYMBOL[symbol & 3] ?? 0), end: at }
}

/** Reads a chunk: a run of one symbol, or a list of 14 symbols of one bit or 7 of two bits. */
function symbolsIn(chunk: number, most: number): number[] {
  if (chunk >> 15 === 0)
    return Array.from({ length: Math.min(most, chunk & 0x1fff) }, () => (chunk >> 13) & 3)
  const bits = (chunk >> 14) & 1 ? 2 : 1
  const length = Math.min(most, 14 / bits)
  return Array.from({ length }, (_, index) => (chunk >> (14 - bits * (index + 1))) & (bits === 2 ? 3 : 1))
}
