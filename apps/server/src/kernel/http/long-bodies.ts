import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { hasBody, isTooLong } from './body-bytes.ts'
import { refuseConnection } from './error-answers.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler writes the body away while it arrives, and bounds its size and its silences itself. */
    bodies?: 'streamed'
  }
}

const BODY_TIMEOUT_MS = 300_000

/** Refuses a body that says it is too long before any of it is read. */
export function refuseLongBody(request: FastifyRequest): void {
  if (!isStreamed(request) && isTooLong(request.headers)) throw new ApiError('body_too_large')
}

/** Ends a request whose body takes too long to arrive: to be asked for when most have arrived, since a timer costs more. */
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

/** To be called once a streamed body is wanted: its sender may wait for that, when it is long. */
export function takeLongBody({ headers }: FastifyRequest, { raw }: FastifyReply): void {
  if (headers.expect !== undefined && isTooLong(headers)) raw.writeContinue()
}

function isStreamed({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.bodies === 'streamed'
}
