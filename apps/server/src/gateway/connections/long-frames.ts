import { createDeflateRaw } from 'node:zlib'
import { Opcode } from '@foyer/protocol/gateway'
import { COMPRESSED, DEFLATE, FIN_TEXT, FLUSH_TAIL_BYTES, frameHeader } from './frames.ts'

/** Bytes of compressed output per buffer. */
const CHUNK_BYTES = 64 * 1024

/**
 * An event for one connection that is too long for one buffer. Joining the pieces of a 6 MB READY, and
 * joining them again with the header, blocked the event loop for 90 ms.
 */
export interface LongEvent {
  readonly id: string
  readonly name: string
  /** Pieces of the data's JSON. */
  readonly data: readonly Buffer[]
}

/** Returns the event as one WebSocket frame in pieces, none of which is a copy of the data. */
export function plainPieces(event: LongEvent): Buffer[] {
  const payload = payloadOf(event)
  return [frameHeader(FIN_TEXT, lengthOf(payload)), ...payload]
}

/** Like `plainPieces`, but compressed for permessage-deflate. Compression runs in other threads. */
export async function deflatedPieces(event: LongEvent): Promise<Buffer[]> {
  const deflate = createDeflateRaw({ ...DEFLATE, chunkSize: CHUNK_BYTES })
  const pieces: Buffer[] = []
  deflate.on('data', (piece: Buffer) => pieces.push(piece))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  deflate.on('end', resolve).on('error', reject)
  for (const piece of payloadOf(event)) deflate.write(piece)
  deflate.end()
  await promise
  const flushed = withoutTail(pieces)
  return [frameHeader(FIN_TEXT | COMPRESSED, lengthOf(flushed)), ...flushed]
}

export function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}

function payloadOf({ id, name, data }: LongEvent): Buffer[] {
  const before = Buffer.from(`{"op":${Opcode.Dispatch},"t":"${name}","s":"${id}","d":`)
  return [before, ...data, Buffer.from('}')]
}

/** Removes the empty block that ends every flush. It may span the last two pieces. */
function withoutTail(pieces: readonly Buffer[]): Buffer[] {
  const kept = [...pieces]
  let left = FLUSH_TAIL_BYTES
  while (left > 0) {
    const last = kept.pop() ?? Buffer.alloc(left)
    if (last.length > left) kept.push(last.subarray(0, -left))
    left -= Math.min(left, last.length)
  }
  return kept
}
