import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, constants as zlib } from 'node:zlib'
import { Opcode } from '@foyer/protocol/gateway'
import type { Event } from '#src/kernel/bus.ts'
import { VOICE_SIGNAL } from '#src/voice/signals.ts'

export const FIN_TEXT = 0x81
export const COMPRESSED = 0x40
/** Shorter frames fit into a packet as they are, with TLS around them. Most messages do: 31 µs of CPU would save none. */
const COMPRESS_FROM_BYTES = 1400
/** Takes 9 to 18 % less CPU than level 3 with zlib's own windows, for 1 to 3 % more bytes, and half the memory meanwhile. */
export const DEFLATE = { finishFlush: zlib.Z_SYNC_FLUSH, level: 1, windowBits: 14, memLevel: 7 }
/** Longer frames, like members and a large READY, would keep the event loop for a third of a millisecond and more. */
const ASIDE_FROM_BYTES = 16 * 1024
/** An empty block that ends every flush; permessage-deflate leaves it out (RFC 7692, section 7.2.1). */
export const FLUSH_TAIL_BYTES = 4

/** A WebSocket frame as it goes over the wire: encoded once, the same bytes for all who hear it. */
export class Frame {
  readonly plain: Buffer
  readonly #deflate: () => Buffer
  #deflated: Buffer | undefined

  constructor(plain: Buffer, deflate: () => Buffer) {
    this.plain = plain
    this.#deflate = deflate
  }

  /** For connections that agreed on permessage-deflate without context takeover; made when first asked for. */
  get deflated(): Buffer {
    this.#deflated ??= this.#deflate()
    return this.#deflated
  }

  /** Makes `deflated` of a large frame in another thread. */
  async deflateAside(): Promise<void> {
    if (this.plain.length >= ASIDE_FROM_BYTES) this.#deflated ??= await compressAside(this.plain)
  }

  /** Several frames to be written at once. */
  static concat(frames: readonly Frame[]): Frame {
    const [only] = frames
    if (only !== undefined && frames.length === 1) return only
    const plain = Buffer.concat(frames.map((frame) => frame.plain))
    return new Frame(plain, () => Buffer.concat(frames.map((frame) => frame.deflated)))
  }
}

/** A frame of the server's own, like HELLO. */
export function commandFrame(op: number, data?: unknown): Frame {
  return textFrame(JSON.stringify({ op, d: data }))
}

/** The event's data is spliced in as it was encoded when it was published. A signal of voice is no event of clients. */
export function dispatchFrame({ id, name, data }: Pick<Event, 'id' | 'name' | 'data'>): Frame {
  if (name === VOICE_SIGNAL) return textFrame(`{"op":${Opcode.VoiceSignal},"d":${data}}`)
  const place = id === undefined ? '' : `,"s":"${id}"`
  return textFrame(`{"op":${Opcode.Dispatch},"t":"${name}"${place},"d":${data}}`)
}

function textFrame(text: string): Frame {
  const plain = plainFrame(text)
  return new Frame(plain, () => compress(plain))
}

/** Without a copy between: of every event there is one. */
function plainFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const start = headerLengthFor(length)
  const frame = Buffer.allocUnsafe(start + length)
  writeHeader(frame, FIN_TEXT, length)
  frame.write(text, start)
  return frame
}

function compress(plain: Buffer): Buffer {
  if (plain.length < COMPRESS_FROM_BYTES) return plain
  return compressedFrame(deflateRawSync(payloadOf(plain), DEFLATE))
}

const deflateInThread = promisify<Buffer, typeof DEFLATE, Buffer>(deflateRaw)

async function compressAside(plain: Buffer): Promise<Buffer> {
  return compressedFrame(await deflateInThread(payloadOf(plain), DEFLATE))
}

function payloadOf(frame: Buffer): Buffer {
  return frame.subarray(headerLength(frame))
}

function compressedFrame(flushed: Buffer): Buffer {
  return webSocketFrame(FIN_TEXT | COMPRESSED, flushed.subarray(0, -FLUSH_TAIL_BYTES))
}

function webSocketFrame(first: number, payload: Buffer): Buffer {
  return Buffer.concat([frameHeader(first, payload.length), payload])
}

/** RFC 6455, section 5.2: servers do not mask. */
export function frameHeader(first: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(headerLengthFor(length))
  writeHeader(header, first, length)
  return header
}

function writeHeader(frame: Buffer, first: number, length: number): void {
  frame[0] = first
  if (length < 126) frame[1] = length
  else if (length < 65_536) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
}

function headerLengthFor(length: number): number {
  if (length < 126) return 2
  return length < 65_536 ? 4 : 10
}

function headerLength(frame: Buffer): number {
  const length = frame[1]
  if (length === 127) return 10
  return length === 126 ? 4 : 2
}
