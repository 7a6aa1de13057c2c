import type { FastifyRequest } from 'fastify'
import { ApiError } from '#src/kernel/errors.ts'
import { readBytes } from '#src/kernel/http/bodies/body-bytes.ts'
import type { App } from '#src/kernel/http/types.ts'
import { feedLinks, HUB_PATH, idOf } from '#src/web/web-pages/making/paths.ts'
import { findReadableRoom } from '#src/web/web-pages/readable.ts'
import { originOf, PageServer, type PageServerDeps } from '#src/web/web-pages/serving.ts'
import { type FeedDeps, JSON_TYPE, makeDocument } from './documents.ts'
import { Hub } from './hub.ts'

type Deps = Omit<FeedDeps, 'origin'> & ConstructorParameters<typeof Hub>[0] & PageServerDeps

type Asked = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>

/** Maximum size of a subscription request: all fields at their maximum length, encoded. */
const MAX_FORM_BYTES = 16 * 1024

const options = { config: { access: 'public' }, schema: { hide: true } } as const

/** Feeds of announcement rooms for other servers. */
export function webFeedRoutes(app: App, deps: Deps): void {
  const pageServer = new PageServer(deps)
  app.get('/read/:space/:room/announcements.json', options, async (request: Asked, reply) =>
    pageServer.answerUnkept(request, reply, () => documentFor(deps, request)),
  )
  hubRoute(app, deps)
}

function hubRoute(app: App, deps: Deps): void {
  const hub = new Hub(deps)
  app.addHook('onClose', () => hub.close())
  const limited = { ...options, config: { access: 'public', limits: ['hub'] } } as const
  app.post(HUB_PATH, limited, async (request, reply) => {
    const { status, text } = await hub.receive(await formOf(request), originOf(deps, request))
    if (status === 503) reply.header('retry-after', '60')
    return reply
      .code(status)
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(`${text}\n`)
  })
}

async function formOf(request: FastifyRequest): Promise<URLSearchParams> {
  if (request.mediaType !== 'application/x-www-form-urlencoded')
    throw new ApiError('invalid_request', 'Content-Type must be application/x-www-form-urlencoded')
  const bytes = await readBytes(request)
  if (bytes.length > MAX_FORM_BYTES) throw new ApiError('invalid_request', 'the form is too long')
  return new URLSearchParams(bytes.toString())
}

async function documentFor(deps: Deps, request: Asked) {
  const [spaceId, roomId] = [idOf(request.params.space ?? ''), idOf(request.params.room ?? '')]
  if (spaceId === undefined || roomId === undefined) return undefined
  const room = await findReadableRoom(deps, spaceId, roomId)
  if (room?.room.announces !== true) return undefined
  const origin = originOf(deps, request)
  const document = await makeDocument({ ...deps, origin }, room, numberIn(request.query.after))
  if (document === undefined) return undefined
  return {
    type: JSON_TYPE,
    text: JSON.stringify(document),
    links: feedLinks(origin, document.url),
  }
}

/** Returns a number of the log; undefined for anything else. */
function numberIn(value: unknown): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined
}
