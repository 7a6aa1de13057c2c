import type { FastifyRequest } from 'fastify'
import type { Config } from '#src/config.ts'
import { type LinkHost, linkHostOf } from './link-host.ts'
import type { Origin } from './queries.ts'

const MAX_DEVICE_LENGTH = 256

/** The client of a request, and the name of this machine that it uses. */
export interface AuthClient extends Origin {
  readonly linkHost: LinkHost | undefined
}

export function clientOf(request: FastifyRequest, config: Pick<Config, 'publicUrl'>): AuthClient {
  const device = (request.headers['user-agent'] ?? '').slice(0, MAX_DEVICE_LENGTH)
  // A server that listens on all addresses sees those of IPv4 as ::ffff:192.0.2.1.
  const address = request.ip.replace(/^::ffff:(?=[\d.]+$)/, '')
  return { device, address, linkHost: linkHostOf(request, config) }
}
