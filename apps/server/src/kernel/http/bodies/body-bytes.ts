import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { MAX_BODY_BYTES } from '@foyer/protocol/limits'
import type { FastifyRequest } from 'fastify'
import { ApiError, type ErrorCode } from '../../errors.ts'
import { SHORT_BODY_BYTES } from './body-memory.ts'

/**
 * Bytes and time for which an oversized body is discarded before it is cut off, so that its sender can read the
 * error.
 */
const MAX_DISCARDED_BYTES = 4 * 1024 * 1024
const DISCARD_MS = 2000

/**
 * Interval at which the speed of a body is checked. It must be at least 8 KiB a second: a slower body has stalled, or is
 * held back on purpose.
 */
const SPEED_CHECK_MS = 15_000
const MIN_BYTES_PER_CHECK = 15 * 8 * 1024

export function isTooLong({ 'content-length': length }: IncomingHttpHeaders): boolean {
  return length !== undefined && Number(length) > MAX_BODY_BYTES
}

export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** @throws ApiError 415 for a compressed body, which no route reads */
export function requirePlainBody({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'] ?? ''
  if (/^(identity)?$/i.test(encoding)) return
  throw new ApiError('compressed_body', undefined, { 'accept-encoding': 'identity' })
}

/**
 * Reads the whole body. A body without a length is cut off at the limit, and reading fails.
 * @throws ApiError 415 for a compressed body, 400 if the body is interrupted or exceeds 32 MiB, 408 if it is too slow, 503
 * if too much is being read already, in total or from its sender
 */
export async function readBytes(request: FastifyRequest): Promise<Buffer> {
  requirePlainBody(request)
  const arrived = takeArrived(request.raw)
  if (arrived !== undefined) return arrived
  const body = request.server.bodyMemory.open(request)
  const chunks: Buffer[] = []
  const take = (chunk: Buffer): ErrorCode | undefined => {
    const hasRoom = body.grow(chunk.length)
    if (hasRoom) chunks.push(chunk)
    else chunks.length = 0
    return hasRoom ? undefined : 'unavailable'
  }
  try {
    await new BodyReading(request.raw, take, (bytes) => body.holdBack(bytes)).run()
    return Buffer.concat(chunks, body.bytes)
  } finally {
    body.release()
  }
}

/** Returns a short body that has already arrived, as most do with their headers; undefined for other bodies. */
function takeArrived(raw: IncomingMessage): Buffer | undefined {
  const { complete, destroyed, readableLength } = raw
  if (!complete || destroyed || readableLength === 0 || readableLength > SHORT_BODY_BYTES) return undefined
  // Without a length, `read` would return only the first chunk.
  const bytes: unknown = raw.read(readableLength)
  return Buffer.isBuffer(bytes) ? bytes : undefined
}

/** Takes a chunk. Returns an error if it and all later chunks must be discarded. */
type Take = (chunk: Buffer) => ErrorCode | undefined

/** Returns the milliseconds the next bytes must wait. */
type HoldBack = (bytes: number) => number

/**
 * Reads one incoming body. It uses events, because leaving a `for await` destroys the socket, and with it the
 * answer.
 */
export class BodyReading {
  readonly #raw: IncomingMessage
  readonly #take: Take
  readonly #holdBack: HoldBack
  readonly #outcome = Promise.withResolvers<void>()
  #length = 0
  #problem: ErrorCode | undefined
  #cutOff: NodeJS.Timeout | undefined
  #speedCheck: NodeJS.Timeout | undefined
  #checkedLength = 0
  #resumption: NodeJS.Timeout | undefined

  constructor(raw: IncomingMessage, take: Take, holdBack: HoldBack = () => 0) {
    this.#raw = raw
    this.#take = take
    this.#holdBack = holdBack
  }

  /** Resolves when the whole body has arrived. */
  run(): Promise<void> {
    const raw = this.#raw
    // The sender may be gone since access was checked. No further event would come then.
    if (raw.destroyed || raw.readableEnded) this.#breakOff()
    else this.#begin()
    return this.#outcome.promise
  }

  /** Ends the reading with an error. The rest of the body is discarded, so that the connection can be reused. */
  refuse(error: unknown): void {
    this.#leave()
    this.#outcome.reject(error)
    this.#raw.resume()
  }

  #begin(): void {
    this.#raw
      .on('data', this.#onData)
      .once('end', this.#settle)
      .once('error', this.#breakOff)
      .once('close', this.#breakOff)
    this.#speedCheck = setInterval(this.#checkSpeed, SPEED_CHECK_MS)
  }

  /** Refuses a slow body, unless this server itself holds it back, for example because the disk is slow. */
  readonly #checkSpeed = (): void => {
    const isSlow = this.#length - this.#checkedLength < MIN_BYTES_PER_CHECK
    this.#checkedLength = this.#length
    if (!isSlow || this.#raw.isPaused()) return
    this.#problem ??= 'request_timeout'
    this.#settle()
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#length += chunk.length
    this.#pauseFor(this.#holdBack(chunk.length))
    this.#problem ??= this.#length > MAX_BODY_BYTES ? 'body_unreadable' : this.#take(chunk)
    if (this.#problem === undefined) return
    this.#cutOff ??= setTimeout(this.#settle, DISCARD_MS)
    if (this.#length > MAX_BODY_BYTES + MAX_DISCARDED_BYTES) this.#settle()
  }

  #pauseFor(ms: number): void {
    if (ms < 1) return
    this.#raw.pause()
    this.#resumption = setTimeout(() => this.#raw.resume(), ms)
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

  /** Removes timers and listeners. The `close` that every request emits must not create an error, which costs a stack trace. */
  #leave(): void {
    clearTimeout(this.#cutOff)
    clearTimeout(this.#resumption)
    clearInterval(this.#speedCheck)
    this.#raw.off('data', this.#onData).off('close', this.#breakOff)
  }
}
