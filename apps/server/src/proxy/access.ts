import type { VideoProxyQuery } from '@foyer/protocol/embeds'
import type { FastifyRequest } from 'fastify'
import type { DownloadSigner } from '#src/files/signatures.ts'
import type { Credentials } from '#src/kernel/credentials.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { givenCredential } from '#src/kernel/http/authentication.ts'

export interface ProxyAccessDeps {
  credentials: Pick<Credentials, 'authenticate'>
  downloads: DownloadSigner
}

/**
 * Players send no headers: what embeds show is signed. Everything else is for who is signed in, so that nobody else's
 * traffic goes through the server.
 * @throws ApiError 403 for a signature that is wrong or expired, 401 for nobody
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
