import type { IncomingHttpHeaders } from 'node:http'
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

/** Refuses a body that says it is too long before any of it is read. */
export function refuseLongBody({ headers }: FastifyRequest): void {
  if (isTooLong(headers)) throw new ApiError('body_too_large')
}

export function isTooLong({ 'content-length': length }: IncomingHttpHeaders): boolean {
  return length !== undefined && Number(length) > MAX_BODY_BYTES
}

/**
 * Reads the whole body. One without a length is cut off at the limit, and then fails to read.
 * @throws ApiError 400 for a body that is over 32 MiB or breaks off, 503 when too much is being read already
 */
export async function readBytes(request: FastifyRequest): Promise<Buffer> {
  const { bodyMemory } = request.server
  const reading = new Reading(bodyMemory)
  try {
    await reading.run(request)
    return Buffer.concat(reading.chunks, reading.length)
  } finally {
    bodyMemory.heldBytes -= reading.held
  }
}

/** By events: leaving a `for await` destroys the socket, and with it the answer. */
class Reading {
  readonly #memory: BodyMemory
  chunks: Buffer[] = []
  length = 0
  held = 0
  #problem: ErrorCode | undefined
  #cutOff: NodeJS.Timeout | undefined

  constructor(memory: BodyMemory) {
    this.#memory = memory
  }

  run({ raw }: FastifyRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(this.#cutOff)
        // Every request closes in the end: that is no problem any more, and an error costs a stack trace.
        raw.off('data', take).off('close', breakOff)
        if (this.#problem === undefined) return resolve()
        reject(new ApiError(this.#problem, undefined, { connection: 'close' }))
      }
      const breakOff = () => {
        this.#problem ??= 'body_unreadable'
        settle()
      }
      const take = (chunk: Buffer) => {
        this.#take(chunk)
        if (this.#problem === undefined) return
        this.#cutOff ??= setTimeout(settle, DISCARD_MS)
        if (this.length > MAX_BODY_BYTES + MAX_DISCARDED_BYTES) settle()
      }
      // Its sender may have gone while access was looked up: nothing would be heard of it any more.
      if (raw.destroyed || raw.readableEnded) return breakOff()
      raw.on('data', take).once('end', settle).once('error', breakOff).once('close', breakOff)
    })
  }

  #take(chunk: Buffer): void {
    this.length += chunk.length
    if (this.#problem !== undefined) return
    this.held += chunk.length
    this.#memory.heldBytes += chunk.length
    this.#problem = this.#refusal()
    if (this.#problem === undefined) this.chunks.push(chunk)
    else this.chunks = []
  }

  #refusal(): ErrorCode | undefined {
    if (this.length > MAX_BODY_BYTES) return 'body_unreadable'
    const isCrowded = this.#memory.heldBytes > MAX_HELD_BYTES && this.length > SHORT_BODY_BYTES
    return isCrowded ? 'unavailable' : undefined
  }
}
