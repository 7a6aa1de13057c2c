import { findExtension } from '#src/voice/sfu/header-extensions.ts'

const REPORT_MS = 50
const REFERENCE_MS = 64
const DELTA_MS = 0.25
/** The report's reference time is a signed number of 24 bits. */
const MAX_REFERENCE = 2 ** 23
const PACKETS_OF_CHUNK = 7
const HEADER_BYTES = 20

/** Reports when packets arrive, as browsers do: draft-holmer-rmcat-transport-wide-cc-extensions-01. */
export class ReportingViewer {
  readonly #extension: number
  readonly #arrived = new Map<number, number>()
  #next: number | undefined
  #reportedAt = 0
  #count = 0

  constructor(extension: number) {
    this.#extension = extension
  }

  receive(packet: Buffer, nowMs: number): void {
    const sequence = findExtension(packet, this.#extension)?.readUInt16BE(0)
    if (sequence === undefined) return
    this.#next ??= sequence
    this.#arrived.set(sequence, nowMs)
  }

  /** Returns the next report if one is due. */
  report(nowMs: number): Buffer | undefined {
    if (this.#arrived.size === 0 || nowMs - this.#reportedAt < REPORT_MS) return undefined
    this.#reportedAt = nowMs
    const first = this.#next ?? 0
    const last = [...this.#arrived.keys()].at(-1) ?? first
    const count = ((last - first) & 0xffff) + 1
    this.#next = (last + 1) & 0xffff
    const times = Array.from({ length: count }, (_, at) => this.#arrived.get((first + at) & 0xffff))
    this.#arrived.clear()
    return this.#write(first, times)
  }

  #write(first: number, times: readonly (number | undefined)[]): Buffer {
    const chunks = Array.from({ length: Math.ceil(times.length / PACKETS_OF_CHUNK) }, (_, at) =>
      chunkOf(times.slice(at * PACKETS_OF_CHUNK, (at + 1) * PACKETS_OF_CHUNK)),
    )
    const reference = Math.floor((times.find((time) => time !== undefined) ?? 0) / REFERENCE_MS)
    const deltas = deltasOf(times, reference * REFERENCE_MS)
    const bytes = HEADER_BYTES + 2 * (chunks.length + deltas.length)
    const report = Buffer.alloc(Math.ceil(bytes / 4) * 4)
    report[0] = 0x8f
    report[1] = 205
    report.writeUInt16BE(report.length / 4 - 1, 2)
    report.writeUInt16BE(first, 12)
    report.writeUInt16BE(times.length, 14)
    report.writeIntBE(reference % MAX_REFERENCE, 16, 3)
    report[19] = this.#count
    this.#count = (this.#count + 1) & 0xff
    for (const [at, chunk] of chunks.entries()) report.writeUInt16BE(chunk, HEADER_BYTES + 2 * at)
    for (const [at, delta] of deltas.entries())
      report.writeInt16BE(delta, HEADER_BYTES + 2 * (chunks.length + at))
    return report
  }
}

/** Encodes the status of seven packets in two bits each: 2 for a received packet with a delta of two bytes, 0 for a missing one. */
function chunkOf(times: readonly (number | undefined)[]): number {
  return times.reduce<number>(
    (chunk, time, at) => chunk | ((time === undefined ? 0 : 2) << (12 - 2 * at)),
    0xc000,
  )
}

function deltasOf(times: readonly (number | undefined)[], fromMs: number): number[] {
  let before = Math.round(fromMs / DELTA_MS)
  return times.flatMap((time) => {
    if (time === undefined) return []
    const now = Math.round(time / DELTA_MS)
    const delta = now - before
    before = now
    return [delta]
  })
}
