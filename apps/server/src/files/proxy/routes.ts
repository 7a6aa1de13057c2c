import { Readable } from 'node:stream'
import { VideoProxyQuery } from '@foyer/protocol/embeds'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import type { App } from '#src/kernel/http/types.ts'
import { strangerHeaders } from '#src/kernel/media/stranger-headers.ts'
import { accessProxy, type ProxyAccessDeps } from './access.ts'
import { fetchMedia, type MediaDeps } from './media.ts'
import { ProxyStreams } from './streams.ts'

type Deps = ProxyAccessDeps & MediaDeps

/** Seconds for which browsers may cache: players request the same ranges repeatedly. */
const KEPT_SECONDS = 60 * 60

export function proxyRoutes(app: App, deps: Deps): void {
  const streams = new ProxyStreams()
  const schema = {
    tags: ['Embeds'],
    summary: 'Proxy Video',
    querystring: VideoProxyQuery,
    response: {
      200: Type.Unsafe<unknown>({ description: 'The video or audio' }),
      206: Type.Unsafe<unknown>({ description: 'The requested range of the file' }),
    },
  }
  app.get(
    '/api/proxy/video',
    { config: { access: 'public', limits: ['videoProxy'] }, schema },
    async (request, reply) => {
      await accessProxy(deps, request)
      return sendMedia(deps, { request, reply, signal: streams.enter(request.ip, reply.raw) })
    },
  )
}

interface Exchange {
  request: FastifyRequest<{ Querystring: VideoProxyQuery }>
  reply: FastifyReply
  /** Aborted when the client disconnects. */
  signal: AbortSignal
}

async function sendMedia(deps: Deps, { request, reply, signal }: Exchange): Promise<FastifyReply> {
  const { method, headers, query } = request
  const url = URL.parse(query.url)
  if (url === null) throw new ApiError('invalid_request', 'url must be a valid address')
  const media = await fetchMedia(deps, { method, url, headers, signal })
  const hasNoBody = method === 'HEAD'
  if (hasNoBody) media.body.destroy()
  return reply
    .code(media.status)
    .headers({ ...strangerHeaders, 'cache-control': `private, max-age=${KEPT_SECONDS}`, ...media.headers })
    .send(hasNoBody ? Readable.from([]) : media.body)
}
