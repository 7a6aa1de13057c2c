import type { FastifyRequest } from 'fastify'
import type { Origin } from './queries.ts'

const MAX_DEVICE_LENGTH = 256

/** Returns the client of a request, as its session keeps it. */
export function originOf(request: FastifyRequest): Origin {
  const device = request.headers['user-agent'] ?? ''
  return { device: device.slice(0, MAX_DEVICE_LENGTH), address: request.ip }
}
