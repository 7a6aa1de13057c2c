import type { FastifyRequest } from 'fastify'
import type { Config } from '#src/config.ts'
import { type LinkHost, linkHostOf } from './link-host.ts'
import type { Origin } from './queries.ts'

const MAX_DEVICE_LENGTH = 256

/** The client of a request, and the name of this machine that it uses. */
export interface AuthClient extends Origin {
  readonly linkHost: LinkHost | undefined
}

export function originOf(request: FastifyRequest): Origin {
  const device = request.headers['user-agent'] ?? ''
  return { device: device.slice(0, MAX_DEVICE_LENGTH), address: request.ip }
}

export function clientOf(request: FastifyRequest, config: Pick<Config, 'publicUrl'>): AuthClient {
  return { ...originOf(request), linkHost: linkHostOf(request, config) }
}
