import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasBody } from './body-bytes.ts'

/** Time for which the rest of an unread body is received before its connection is cut. */
const UNREAD_BODY_MS = 10_000

/**
 * Discards the rest of a body that the handler did not read, so that the connection can be reused. It is read at the pace
 * of other bodies: Node by itself would read 2 MiB of each connection at once.
 */
export function discardUnreadBody(request: FastifyRequest, { raw: answer }: FastifyReply): void {
  if (!hasBody(request)) return
  // Node would begin to discard on `finish`.
  answer.once('prefinish', () => {
    if (!request.raw.complete) discard(request)
  })
}

function discard(request: FastifyRequest): void {
  const { raw, server } = request
  const body = server.bodyMemory.open(request)
  raw.on('data', (chunk: Buffer) => {
    const ms = body.holdBack(chunk.length)
    if (ms < 1) return
    raw.pause()
    setTimeout(() => raw.resume(), ms)
  })
  raw.resume()
  setTimeout(() => {
    if (!raw.complete) raw.destroy()
  }, UNREAD_BODY_MS).unref()
}
