import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, constants as zlib } from 'node:zlib'
import { Opcode } from '@foyer/protocol/gateway'
import type { Event } from '#src/kernel/journal/bus.ts'
import { VOICE_SIGNAL } from '#src/voice/signals/signals.ts'

export const FIN_TEXT = 0x81
export const COMPRESSED = 0x40
/**
 * Shorter frames fit into one packet uncompressed, also with TLS. Compressing them costs 31 µs of CPU and
 * saves no packet.
 */
const COMPRESS_FROM_BYTES = 1400
/**
 * zlib options. They take 9 to 18 % less CPU than level 3 with zlib's default window, and half the memory, for 1 to 3
 * % more bytes.
 */
export const DEFLATE = { finishFlush: zlib.Z_SYNC_FLUSH, level: 1, windowBits: 14, memLevel: 7 }
/**
 * Frames of at least this size are compressed in another thread. Member lists or a large READY would block the event
 * loop for a third of a millisecond or more.
 */
const ASIDE_FROM_BYTES = 16 * 1024
/** Bytes of the empty block that ends every flush. permessage-deflate omits it (RFC 7692, section 7.2.1). */
export const FLUSH_TAIL_BYTES = 4

/** A WebSocket frame as it is sent: encoded once, the same bytes for every recipient. */
export class Frame {
  readonly plain: Buffer
  readonly #deflate: () => Buffer
  #deflated: Buffer | undefined

  constructor(plain: Buffer, deflate: () => Buffer) {
    this.plain = plain
    this.#deflate = deflate
  }

  /** The frame for connections that agreed on permessage-deflate without context takeover. Compressed on first use. */
  get deflated(): Buffer {
    this.#deflated ??= this.#deflate()
    return this.#deflated
  }

  /** Compresses a large frame in another thread. */
  async deflateAside(): Promise<void> {
    if (this.plain.length >= ASIDE_FROM_BYTES) this.#deflated ??= await compressAside(this.plain)
  }

  /** Joins frames, to write them together. */
  static concat(frames: readonly Frame[]): Frame {
    const [only] = frames
    if (only !== undefined && frames.length === 1) return only
    const plain = Buffer.concat(frames.map((frame) => frame.plain))
    return new Frame(plain, () => Buffer.concat(frames.map((frame) => frame.deflated)))
  }
}

/** Makes a frame of the protocol itself, such as HELLO. */
export function commandFrame(op: number, data?: unknown): Frame {
  return textFrame(JSON.stringify({ op, d: data }))
}

/** Makes a dispatch. The event's data was encoded when it was published. Voice signals have an opcode of their own. */
export function dispatchFrame({ id, name, data }: Pick<Event, 'id' | 'name' | 'data'>): Frame {
  if (name === VOICE_SIGNAL) return textFrame(`{"op":${Opcode.VoiceSignal},"d":${data}}`)
  const position = id === undefined ? '' : `,"s":"${id}"`
  return textFrame(`{"op":${Opcode.Dispatch},"t":"${name}"${position},"d":${data}}`)
}

function textFrame(text: string): Frame {
  const plain = plainFrame(text)
  return new Frame(plain, () => compress(plain))
}

/** Writes the header and the text into one buffer. An intermediate copy would cost time for every event. */
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

/** Returns an unmasked header: servers do not mask (RFC 6455, section 5.2). */
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
