import { deflateRawSync, inflateRawSync, constants as zlib } from 'node:zlib'

const FIN_TEXT = 0x81
const COMPRESSED = 0x40
/** End of flushed data, which is omitted on the wire (RFC 7692, section 7.2.1). */
const FLUSH_TAIL = Buffer.from([0, 0, 0xff, 0xff])
const MASKED = 0x80
const LENGTH_16 = 126
const LENGTH_64 = 127

/** A frame's payload as a range of the received bytes. */
export interface FrameBounds {
  opcode: number
  isCompressed: boolean
  start: number
  end: number
}

/** Finds the frame that begins at `at` (RFC 6455, section 5.2). Returns undefined until all of the frame has arrived. */
export function frameAt(bytes: Buffer, at: number, available: number): FrameBounds | undefined {
  if (available - at < 2) return undefined
  const short = (bytes[at + 1] ?? 0) & 0x7f
  const header = short === LENGTH_64 ? 10 : short === LENGTH_16 ? 4 : 2
  if (available - at < header) return undefined
  const start = at + header
  const end = start + payloadLength(bytes, at, short)
  const first = bytes[at] ?? 0
  const isCompressed = (first & COMPRESSED) !== 0
  return end > available ? undefined : { opcode: first & 0x0f, isCompressed, start, end }
}

function payloadLength(bytes: Buffer, at: number, short: number): number {
  if (short === LENGTH_16) return bytes.readUInt16BE(at + 2)
  return short === LENGTH_64 ? Number(bytes.readBigUInt64BE(at + 2)) : short
}

/** Decompresses the text of a frame, without context takeover. */
export function inflate(bytes: Buffer, { start, end }: FrameBounds): Buffer {
  return inflateRawSync(Buffer.concat([bytes.subarray(start, end), FLUSH_TAIL]), {
    finishFlush: zlib.Z_SYNC_FLUSH,
  })
}

/** Builds a frame whose mask is zero: clients must mask, and this mask leaves the text as it is. */
export function clientFrame(text: string): Buffer {
  return maskedFrame(FIN_TEXT, Buffer.from(text))
}

/** Builds a frame like a browser that negotiated permessage-deflate. */
export function compressedFrame(text: string): Buffer {
  const flushed = deflateRawSync(text, { finishFlush: zlib.Z_SYNC_FLUSH })
  return maskedFrame(FIN_TEXT | COMPRESSED, flushed.subarray(0, -FLUSH_TAIL.length))
}

function maskedFrame(first: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(payload.length < LENGTH_16 ? 6 : 8)
  header[0] = first
  header[1] = MASKED | Math.min(payload.length, LENGTH_16)
  if (payload.length >= LENGTH_16) header.writeUInt16BE(payload.length, 2)
  return Buffer.concat([header, payload])
}
