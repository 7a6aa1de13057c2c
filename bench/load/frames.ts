const FIN_TEXT = 0x81
const MASKED = 0x80
const LENGTH_16 = 126
const LENGTH_64 = 127

/** A frame's payload as a range of the bytes it came with. */
export interface FrameBounds {
  opcode: number
  start: number
  end: number
}

/** The frame that begins at `at` (RFC 6455, section 5.2), or undefined while some of it is still to come. */
export function frameAt(bytes: Buffer, at: number, available: number): FrameBounds | undefined {
  if (available - at < 2) return undefined
  const short = (bytes[at + 1] ?? 0) & 0x7f
  const header = short === LENGTH_64 ? 10 : short === LENGTH_16 ? 4 : 2
  if (available - at < header) return undefined
  const start = at + header
  const end = start + payloadLength(bytes, at, short)
  return end > available ? undefined : { opcode: (bytes[at] ?? 0) & 0x0f, start, end }
}

function payloadLength(bytes: Buffer, at: number, short: number): number {
  if (short === LENGTH_16) return bytes.readUInt16BE(at + 2)
  return short === LENGTH_64 ? Number(bytes.readBigUInt64BE(at + 2)) : short
}

/** A client must mask; a mask of zeros is one, and leaves the text as it is. */
export function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const header = Buffer.alloc(payload.length < LENGTH_16 ? 6 : 8)
  header[0] = FIN_TEXT
  header[1] = MASKED | Math.min(payload.length, LENGTH_16)
  if (payload.length >= LENGTH_16) header.writeUInt16BE(payload.length, 2)
  return Buffer.concat([header, payload])
}
