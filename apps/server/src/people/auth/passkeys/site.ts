import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#src/config.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { linkHostOf, withLinkHost } from '../link-host.ts'

/** The pages on which passkeys work. A browser gives a passkey only to pages of its host. */
export interface PasskeySite {
  /** The host, for which browsers keep the passkeys (RP ID). */
  host: string
  origin: string
}

/**
 * Returns the site of PUBLIC_URL, or `localhost` if the request was sent there. Undefined where browsers allow no
 * passkeys: for IP addresses, and without TLS.
 */
export function findPasskeySite(
  request: FastifyRequest,
  config: Pick<Config, 'publicUrl'>,
): PasskeySite | undefined {
  const url = config.publicUrl === undefined ? ownUrl(request) : URL.parse(config.publicUrl)
  if (url === null) return undefined
  const { protocol, hostname, origin } = url
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[')
  return !isAddress && (protocol === 'https:' || isLocal) ? { host: hostname, origin } : undefined
}

/** @throws ApiError 422 where browsers allow no passkeys */
export function passkeySiteOf(request: FastifyRequest, config: Pick<Config, 'publicUrl'>): PasskeySite {
  const site = findPasskeySite(request, config)
  if (site === undefined) throw new ApiError('passkeys_unavailable')
  return site
}

function ownUrl(request: FastifyRequest): URL | null {
  const host = linkHostOf(request, { publicUrl: undefined })
  return host === 'localhost' ? URL.parse(withLinkHost(request.server.listeningOrigin, host)) : null
}
