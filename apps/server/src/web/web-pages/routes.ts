import type { FastifyRequest } from 'fastify'
import type { DownloadDeps } from '#src/files/attachments/downloads.ts'
import { sendFile } from '#src/files/attachments/file-answers.ts'
import { refuseExecution } from '#src/kernel/http/fetch-destination.ts'
import type { App } from '#src/kernel/http/types.ts'
import type { PageJob } from './making/jobs.ts'
import { idOf, type Start } from './making/paths.ts'
import { findReadableFile } from './making/queries.ts'
import type { ReadableRoom } from './making/readable-room.ts'
import { wordsFor } from './making/words.ts'
import type { Elsewhere } from './page-thread.ts'
import {
  findIndexedRooms,
  findReadableRoom,
  findReadableSpace,
  findReadableThread,
  type ReadableDeps,
} from './readable.ts'
import { missing, PageServer, type PageServerDeps, unindexed } from './serving.ts'

type Given = ReadableDeps & PageServerDeps & Pick<DownloadDeps, 'downloadFacts'>

type Deps = Given & { pageServer: PageServer }

type Asked = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>

const options = { config: { access: 'public' }, schema: { hide: true } } as const

/** Pages that people without an account read, and that search engines index. */
export function webPageRoutes(app: App, given: Given): void {
  const deps = { ...given, pageServer: new PageServer(given) }
  indexRoutes(app, deps)
  roomRoutes(app, deps)
  fileRoute(app, deps)
}

function indexRoutes(app: App, deps: Deps): void {
  const { pageServer, publicPages } = deps
  app.get('/robots.txt', options, async (request, reply) =>
    pageServer.answer(
      request,
      reply,
      async () => withoutQuery(request) ?? { kind: 'robots', isAllowed: await publicPages.isAllowed() },
    ),
  )
  app.get('/sitemap.xml', options, async (request, reply) =>
    pageServer.answer(request, reply, async () => {
      if (!(await publicPages.isAllowed())) return undefined
      return withoutQuery(request) ?? { kind: 'sitemap', content: await findIndexedRooms(deps) }
    }),
  )
  app.get('/read/:space', options, async (request: Asked, reply) =>
    pageServer.answer(request, reply, async () => {
      const spaceId = idOf(request.params.space ?? '')
      const readable = spaceId === undefined ? undefined : await findReadableSpace(deps, spaceId)
      return readable && { kind: 'space', readable, after: idIn(request, 'after') }
    }),
  )
}

function roomRoutes(app: App, deps: Deps): void {
  const { pageServer } = deps
  app.get('/read/:space/:room', options, async (request: Asked, reply) =>
    pageServer.answer(request, reply, async () => {
      const readable = await roomOf(deps, request)
      const start = { before: idIn(request, 'before'), months: idIn(request, 'months') }
      return readable && { kind: 'room', readable, start }
    }),
  )
  app.get('/read/:space/:room/:part', options, async (request: Asked, reply) =>
    pageServer.answer(request, reply, async () => {
      const readable = await roomOf(deps, request)
      return readable && partJob(request, readable)
    }),
  )
  app.get('/read/:space/:room/t/:thread', options, async (request: Asked, reply) =>
    pageServer.answer(request, reply, async () => {
      const readable = await threadOf(deps, request, request.params.thread)
      return readable && { kind: 'thread', readable, start: startIn(request) }
    }),
  )
}

function partJob(request: Asked, readable: ReadableRoom): PageJob | Elsewhere {
  const { part = '' } = request.params
  if (part === 'feed.atom') return withoutQuery(request) ?? { kind: 'feed', readable }
  if (part === 'sitemap.xml') return withoutQuery(request) ?? { kind: 'room sitemap', readable }
  return { kind: 'month', readable, month: part, start: startIn(request) }
}

/** Redirects an address with a query to the address without it, before anything is read for the page. */
function withoutQuery({ url }: FastifyRequest): Elsewhere | undefined {
  const [location = '', query] = url.split('?')
  return query === undefined ? undefined : { location }
}

/** Checks at each request that the message can still be read. No cache keeps the file. */
function fileRoute(app: App, deps: Deps): void {
  const limited = { ...options, config: { access: 'public', limits: ['webPageFiles'] } } as const
  app.get('/read/:space/:room/files/:channel/:message/:file', limited, async (request: Asked, reply) => {
    refuseExecution(request.headers)
    const found = await findFile(deps, request)
    if (found === undefined) return missing(reply, wordsFor(request.headers['accept-language'] ?? 'en'))
    if (!found.isIndexed) reply.headers(unindexed)
    return sendFile(request, reply.header('cache-control', 'no-store'), found.fact)
  })
}

async function findFile(deps: Deps, request: Asked) {
  const { channel, message, file } = request.params
  const [channelId, messageId, fileId] = [channel, message, file].map((part) => idOf(part ?? ''))
  if (channelId === undefined || messageId === undefined || fileId === undefined) return undefined
  const room = await roomOf(deps, request)
  if (room === undefined) return undefined
  const isInThread = channelId !== room.room.id
  if (isInThread && (await threadOf(deps, request, channelId)) === undefined) return undefined
  const source = { spaceId: room.space.id, channelId, from: room.from }
  const found = await findReadableFile(deps.database, source, { messageId, fileId })
  const fact = found && (await deps.downloadFacts.find(fileId))
  return fact && { fact, isIndexed: room.isIndexed }
}

async function roomOf(deps: Deps, { params }: Asked) {
  const [spaceId, roomId] = [idOf(params.space ?? ''), idOf(params.room ?? '')]
  return spaceId === undefined || roomId === undefined ? undefined : findReadableRoom(deps, spaceId, roomId)
}

async function threadOf(deps: Deps, { params }: Asked, thread = '') {
  const [spaceId, roomId, threadId] = [idOf(params.space ?? ''), idOf(params.room ?? ''), idOf(thread)]
  if (spaceId === undefined || roomId === undefined || threadId === undefined) return undefined
  return findReadableThread(deps, { spaceId, roomId, threadId })
}

function startIn(request: Asked): Start {
  const [after, at] = [idIn(request, 'after'), idIn(request, 'at')]
  if (after !== undefined) return { kind: 'after', id: after }
  return at === undefined ? { kind: 'first' } : { kind: 'at', id: at }
}

/** Returns an id of the query; undefined for anything else. */
function idIn({ query }: Asked, name: string): string | undefined {
  const value = query[name]
  return typeof value === 'string' && idOf(value) === value ? value : undefined
}
