import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'
import { refuseConnection } from '../error-answers.ts'
import { hasBody, isTooLong } from './body-bytes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler stores the body as it arrives, and limits its size and its pauses itself. */
    bodies?: 'streamed'
  }
}

const BODY_TIMEOUT_MS = 300_000

/** Refuses a body by its declared length, without reading it. */
export function refuseLongBody(request: FastifyRequest): void {
  if (!isStreamed(request) && isTooLong(request.headers)) throw new ApiError('body_too_large')
}

/** Ends a request whose body takes too long. Call it late: most bodies have arrived by then, and need no timer. */
export function limitBodyTime(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request
  if (raw.complete || isStreamed(request) || !hasBody(request)) return
  const end = () => {
    if (raw.complete) return
    if (reply.raw.headersSent) raw.destroy()
    else refuseConnection(raw.socket, 'request_timeout')
  }
  const timer = setTimeout(end, BODY_TIMEOUT_MS)
  raw.once('close', () => clearTimeout(timer))
}

/** Sends 100 Continue. Must be called once a streamed body is needed, because the sender may wait for it. */
export function takeLongBody({ headers }: FastifyRequest, { raw }: FastifyReply): void {
  if (headers.expect !== undefined && isTooLong(headers)) raw.writeContinue()
}

function isStreamed({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.bodies === 'streamed'
}
