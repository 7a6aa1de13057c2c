import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Config } from '#src/config.ts'
import { plainAddress } from '#src/kernel/plain-address.ts'

/** Loopback hosts allowed in mailed links. */
export const LinkHost = Type.Union([
  Type.Literal('localhost'),
  Type.Literal('127.0.0.1'),
  Type.Literal('[::1]'),
])
export type LinkHost = Static<typeof LinkHost>

/** IP addresses of each loopback host. */
const addressesOf: Readonly<Record<LinkHost, readonly string[]>> = {
  localhost: ['127.0.0.1', '::1'],
  '127.0.0.1': ['127.0.0.1'],
  '[::1]': ['::1'],
}

/** Hosts of the server's base URL that the loopback host of a request may replace. */
const OWN_HOSTS: readonly string[] = ['127.0.0.1', '[::1]', 'localhost', '0.0.0.0', '[::]']

/**
 * Returns the Host of the request if it is a loopback host, because the browser's login belongs to that host. Any other
 * Host is ignored: anyone can request a reset of another user's password with a Host of their own. A loopback host is
 * also ignored if the request did not arrive at one of its addresses, because another program may listen there.
 */
export function linkHostOf(
  { hostname, socket }: Pick<FastifyRequest, 'hostname' | 'socket'>,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): LinkHost | undefined {
  if (publicUrl !== undefined) return undefined
  const address = plainAddress(socket.localAddress ?? '')
  return LinkHost.anyOf
    .map((name) => name.const)
    .find((name) => name === hostname && addressesOf[name].includes(address))
}

/** Returns the base of links, with its own host replaced by the loopback host. The port stays. */
export function withLinkHost(baseUrl: string, host: LinkHost | undefined): string {
  const url = new URL(baseUrl)
  if (host === undefined || !OWN_HOSTS.includes(url.hostname)) return baseUrl
  url.hostname = host
  return url.origin
}
