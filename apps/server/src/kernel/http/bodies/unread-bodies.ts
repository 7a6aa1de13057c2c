import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasBody } from './body-bytes.ts'

/** Time for which the rest of an unread body is received before its connection is cut. */
const UNREAD_BODY_MS = 10_000

/**
 * Discards what the handler did not read of a body, so that the connection can be reused. A stranger's body keeps
 * the pace of those that are read: Node would take 2 MiB of each connection before it does anything else.
 */
export function discardUnreadBody(request: FastifyRequest, { raw: answer }: FastifyReply): void {
  if (!hasBody(request)) return
  // Node begins to discard on `finish`.
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
