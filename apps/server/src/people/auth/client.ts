import type { FastifyRequest } from 'fastify'
import type { Config } from '#src/config.ts'
import { plainAddress } from '#src/kernel/plain-address.ts'
import { type LinkHost, linkHostOf } from './link-host.ts'
import type { Origin } from './queries.ts'

const MAX_DEVICE_LENGTH = 256

/** The client of a request, and the loopback host by which it reached this server, if any. */
export interface AuthClient extends Origin {
  readonly linkHost: LinkHost | undefined
}

export function clientOf(request: FastifyRequest, config: Pick<Config, 'publicUrl'>): AuthClient {
  const device = (request.headers['user-agent'] ?? '').slice(0, MAX_DEVICE_LENGTH)
  return { device, address: plainAddress(request.ip), linkHost: linkHostOf(request, config) }
}
