import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { MAX_BODY_BYTES } from '@foyer/protocol/limits'
import type { FastifyRequest } from 'fastify'
import { ApiError, type ErrorCode } from '../errors.ts'

/** Bodies up to this size are read whatever else is being read: no flood of long ones keeps people from talking. */
const SHORT_BODY_BYTES = 64 * 1024
/** What all bodies that are being read may hold together: without it, slow uploads of one account fill the memory. */
const MAX_HELD_BYTES = 256 * 1024 * 1024
/** How much more, and how long, is thrown away before a body without end is cut off: so long, its sender can hear why. */
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024
const DISCARD_MS = 2000

/** Of one server: the bytes of all bodies that it is reading now. */
export interface BodyMemory {
  heldBytes: number
}

declare module 'fastify' {
  interface FastifyInstance {
    bodyMemory: BodyMemory
  }
}

export function isTooLong({ 'content-length': length }: IncomingHttpHeaders): boolean {
  return length !== undefined && Number(length) > MAX_BODY_BYTES
}

export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/**
 * Reads the whole body. One without a length is cut off at the limit, and then fails to read.
 * @throws ApiError 400 for a body that is over 32 MiB or breaks off, 503 when too much is being read already
 */
export async function readBytes(request: FastifyRequest): Promise<Buffer> {
  const arrived = takeArrived(request.raw)
  if (arrived !== undefined) return arrived
  const { bodyMemory } = request.server
  const chunks: Buffer[] = []
  let held = 0
  const take = (chunk: Buffer): ErrorCode | undefined => {
    held += chunk.length
    bodyMemory.heldBytes += chunk.length
    const isCrowded = bodyMemory.heldBytes > MAX_HELD_BYTES && held > SHORT_BODY_BYTES
    if (isCrowded) chunks.length = 0
    else chunks.push(chunk)
    return isCrowded ? 'unavailable' : undefined
  }
  try {
    await new BodyReading(request.raw, take).run()
    return Buffer.concat(chunks, held)
  } finally {
    bodyMemory.heldBytes -= held
  }
}

/** Most bodies are short and came with their headers: there is nothing to wait for. */
function takeArrived(raw: IncomingMessage): Buffer | undefined {
  const { complete, destroyed, readableLength } = raw
  if (!complete || destroyed || readableLength === 0 || readableLength > SHORT_BODY_BYTES) return undefined
  // Without the length, only the first of its pieces.
  const bytes: unknown = raw.read(readableLength)
  return Buffer.isBuffer(bytes) ? bytes : undefined
}

/** Takes a chunk in, or says why this and all later ones are thrown away. */
type Take = (chunk: Buffer) => ErrorCode | undefined

/** One body on its way in. By events: leaving a `for await` destroys the socket, and with it the answer. */
export class BodyReading {
  readonly #raw: IncomingMessage
  readonly #take: Take
  readonly #outcome = Promise.withResolvers<void>()
  #length = 0
  #problem: ErrorCode | undefined
  #cutOff: NodeJS.Timeout | undefined

  constructor(raw: IncomingMessage, take: Take) {
    this.#raw = raw
    this.#take = take
  }

  /** Resolves when the body has arrived whole. */
  run(): Promise<void> {
    const raw = this.#raw
    // Its sender may have gone while access was looked up: nothing would be heard of it any more.
    if (raw.destroyed || raw.readableEnded) this.#breakOff()
    else
      raw
        .on('data', this.#onData)
        .once('end', this.#settle)
        .once('error', this.#breakOff)
        .once('close', this.#breakOff)
    return this.#outcome.promise
  }

  /** Ends the reading with an error. The rest of the body is taken in, so that the connection stays of use. */
  refuse(error: unknown): void {
    this.#leave()
    this.#outcome.reject(error)
    this.#raw.resume()
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#length += chunk.length
    this.#problem ??= this.#length > MAX_BODY_BYTES ? 'body_unreadable' : this.#take(chunk)
    if (this.#problem === undefined) return
    this.#cutOff ??= setTimeout(this.#settle, DISCARD_MS)
    if (this.#length > MAX_BODY_BYTES + MAX_DISCARDED_BYTES) this.#settle()
  }

  readonly #breakOff = (): void => {
    this.#problem ??= 'body_unreadable'
    this.#settle()
  }

  readonly #settle = (): void => {
    this.#leave()
    if (this.#problem === undefined) this.#outcome.resolve()
    else this.#outcome.reject(new ApiError(this.#problem, undefined, { connection: 'close' }))
  }

  /** Every request closes in the end: that is no problem any more, and an error costs a stack trace. */
  #leave(): void {
    clearTimeout(this.#cutOff)
    this.#raw.off('data', this.#onData).off('close', this.#breakOff)
  }
}
