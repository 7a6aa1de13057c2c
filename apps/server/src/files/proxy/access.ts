import type { VideoProxyQuery } from '@foyer/protocol/embeds'
import type { FastifyRequest } from 'fastify'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { givenCredential } from '#src/kernel/http/authentication.ts'
import type { Credentials } from '#src/kernel/secrets/credentials.ts'

export interface ProxyAccessDeps {
  credentials: Pick<Credentials, 'authenticate'>
  downloads: DownloadSigner
}

/**
 * Checks access to the proxy. Players send no headers, so the addresses in embeds are signed. Other addresses need a
 * signed-in user, so that the server is not an open proxy.
 * @throws ApiError 403 for a wrong or expired signature, 401 without a user
 */
export async function accessProxy(
  { credentials, downloads }: ProxyAccessDeps,
  request: FastifyRequest<{ Querystring: VideoProxyQuery }>,
): Promise<void> {
  const { url, sig, exp } = request.query
  if (sig === undefined && exp === undefined) {
    const caller = await credentials.authenticate(givenCredential(request.headers), request.ip)
    if (caller === undefined) throw new ApiError('authentication_required')
    return
  }
  const isOurs = downloads.isValidProxy(url, { sig: sig ?? '', exp: exp ?? '' }, Date.now())
  if (!isOurs) throw new ApiError('invalid_signature')
}
