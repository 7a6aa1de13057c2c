import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { findAwaited, type RelayDeps, relayUpload } from '#src/files/objects/relay.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { requirePlainBody } from '#src/kernel/http/bodies/body-bytes.ts'
import { takeLongBody } from '#src/kernel/http/bodies/long-bodies.ts'
import type { App } from '#src/kernel/http/types.ts'
import type { StorageUrlSigner } from '#src/kernel/storage/url-signer.ts'

export interface RelayRouteDeps extends RelayDeps {
  relayUrls: StorageUrlSigner
}

const Text = Type.String({ default: '' })
const Query = Type.Object({ type: Text, size: Text, exp: Text, sig: Text })

/** Routes for uploads to buckets whose CORS rules exclude browsers. Addresses are signed like a bucket's own. */
export function relayRoutes(app: App, deps: RelayRouteDeps): void {
  const { relayUrls } = deps
  const schema = { hide: true, params: Type.Object({ '*': Type.String() }), querystring: Query }
  const config = { access: 'public', bodies: 'streamed' } as const
  app.put('/attachments/incoming/*', { config, schema }, async (request, reply) => {
    const { type: contentType, size, exp: expires, sig } = request.query
    const key = request.params['*']
    const grant = { method: 'PUT', key, contentType, sizeBytes: Number(size), expires } as const
    if (!relayUrls.isValid(grant, sig, Date.now())) throw new ApiError('invalid_signature')
    checkUpload(request, { contentType, size })
    const file = await findAwaited(deps.database, key)
    if (file === undefined) throw new ApiError('unknown_attachment')
    await relayUpload(deps, file, { body: request.raw, onReady: () => takeLongBody(request, reply) })
    return reply.code(200).send()
  })
}

/**
 * Checks an upload against its signature, as S3 does.
 * @throws ApiError 403 for another type, 400 for another length, 415 for a compressed file
 */
export function checkUpload(request: FastifyRequest, signed: { contentType: string; size: string }): void {
  const { headers } = request
  requirePlainBody(request)
  if (headers['content-type'] !== signed.contentType)
    throw new ApiError('invalid_signature', `Content-Type must be ${signed.contentType}`)
  if (headers['content-length'] !== signed.size)
    throw new ApiError('upload_incomplete', `the file must have ${signed.size} bytes, as it was announced`)
}
