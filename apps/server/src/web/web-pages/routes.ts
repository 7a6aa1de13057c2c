import type { FastifyRequest } from 'fastify'
import type { DownloadDeps } from '#src/files/attachments/downloads.ts'
import { sendFile } from '#src/files/attachments/file-answers.ts'
import { refuseExecution } from '#src/kernel/http/fetch-destination.ts'
import type { App } from '#src/kernel/http/types.ts'
import type { RateCounters } from '#src/kernel/limits/rate-limits.ts'
import { makeFeed, makeRobots, makeRoomSitemap, makeSitemap } from './feeds.ts'
import { makeRoomPage, makeSpacePage } from './index-pages.ts'
import type { PageCache } from './page-cache.ts'
import { leadTo, type MadePage, type MakingDeps, makeMonthPage, makeThreadPage } from './pages.ts'
import { idOf, type Start } from './paths.ts'
import { findReadableFile } from './queries.ts'
import { findReadableRoom, findReadableSpace, findReadableThread, type ReadableDeps } from './readable.ts'
import { missing, PageServer, unindexed } from './serving.ts'
import { wordsFor } from './words.ts'

interface Given extends ReadableDeps, Pick<DownloadDeps, 'downloadFacts'> {
  webPages: PageCache
  /** Undefined turns rate limits off. */
  rateCounters: RateCounters | undefined
  /** Undefined to use the host of each request. */
  publicUrl: string | undefined
}

type Deps = Given & { pageServer: PageServer }

type Asked = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>

const options = { config: { access: 'public' }, schema: { hide: true } } as const

/** Pages that people without an account read, and that search engines index. */
export function webPageRoutes(app: App, given: Given): void {
  const deps = { ...given, pageServer: new PageServer(given.webPages, given.rateCounters, given.publicUrl) }
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
      async () =>
        withoutQuery(request) ?? makeRobots(makingFor(deps, request), await publicPages.isAllowed()),
    ),
  )
  app.get('/sitemap.xml', options, async (request, reply) =>
    pageServer.answer(request, reply, async () => {
      if (!(await publicPages.isAllowed())) return undefined
      return withoutQuery(request) ?? makeSitemap(makingFor(deps, request))
    }),
  )
  app.get('/read/:space', options, async (request: Asked, reply) =>
    pageServer.answer(request, reply, async () => {
      const spaceId = idOf(request.params.space ?? '')
      const space = spaceId === undefined ? undefined : await findReadableSpace(deps, spaceId)
      return space && makeSpacePage(makingFor(deps, request), space, idIn(request, 'after'))
    }),
  )
}

function roomRoutes(app: App, deps: Deps): void {
  const { pageServer } = deps
  app.get('/read/:space/:room', options, async (request: Asked, reply) =>
    pageServer.answer(request, reply, async () => {
      const room = await roomOf(deps, request)
      const start = { before: idIn(request, 'before'), months: idIn(request, 'months') }
      return room && makeRoomPage(makingFor(deps, request), room, start)
    }),
  )
  app.get('/read/:space/:room/:part', options, async (request: Asked, reply) =>
    pageServer.answer(request, reply, async () => {
      const room = await roomOf(deps, request)
      if (room === undefined) return undefined
      const making = makingFor(deps, request)
      const { part: month = '' } = request.params
      if (month === 'feed.atom') return withoutQuery(request) ?? makeFeed(making, room)
      if (month === 'sitemap.xml') return withoutQuery(request) ?? makeRoomSitemap(making, room)
      return makeMonthPage(making, room, month, startIn(request))
    }),
  )
  app.get('/read/:space/:room/t/:thread', options, async (request: Asked, reply) =>
    pageServer.answer(request, reply, async () => {
      const thread = await threadOf(deps, request, request.params.thread)
      return thread && makeThreadPage(makingFor(deps, request), thread, startIn(request))
    }),
  )
}

/** Redirects an address with a query to the one without, before anything is read for it. */
function withoutQuery({ url }: FastifyRequest): MadePage | undefined {
  const [path = '', query] = url.split('?')
  return query === undefined ? undefined : leadTo(path)
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
  const source = { spaceId: room.snapshot.space.id, channelId, from: room.from }
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

function makingFor(deps: Deps, request: FastifyRequest): MakingDeps {
  return { ...deps, origin: deps.publicUrl ?? `${request.protocol}://${request.host}` }
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
