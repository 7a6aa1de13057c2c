import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isServerPath } from '#src/kernel/http/server-paths.ts'
import type { App } from '#src/kernel/http/types.ts'
import { type InviteLookup, withInvite } from './invite-page.ts'
import { type PageSettings, pageHeadersFor, SOUND_FRAME, soundFrameHeaders } from './page-headers.ts'

const BUILT_CLIENT = fileURLToPath(new URL('../../../../web/dist', import.meta.url))

const NOT_BUILT = `Foyer is running, but its web client has not been built.
Build it with bin/setup in the folder of the sources, and start Foyer again.
The API reference is at /api/docs.
`

const options = { config: { access: 'public' }, schema: { hide: true } } as const

interface Client {
  findInvite: InviteLookup
  /** Output folder of the build of apps/web. */
  folder?: string
}

/** Serves the web client at /: its files, and its page for every other path a browser opens. */
export async function webClientRoutes(
  app: App,
  settings: PageSettings,
  { findInvite, folder = BUILT_CLIENT }: Client,
): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    app.get('/', options, (_request, reply) => reply.type('text/plain; charset=utf-8').send(NOT_BUILT))
    return
  }
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    index: false,
    cacheControl: false,
    dotfiles: 'ignore',
    // The build writes .br and .gz versions of its files.
    preCompressed: true,
  })
  const pageHeaders = pageHeadersFor(settings)
  const headersOf = new Map<string, Record<string, string>>([
    // The service worker answers for the page, so the same headers apply.
    ['worker.js', pageHeaders],
    [SOUND_FRAME, soundFrameHeaders],
  ])
  const sendPage = (reply: FastifyReply) => sendFrontPage(reply.headers(pageHeaders))
  app.get('/', options, (_request, reply) => sendPage(reply))
  app.get<{ Params: { '*': string } }>('/invite/*', options, async (request, reply) => {
    const invite = await findInvite(request.params['*'], request.ip)
    if (invite === undefined) return sendPage(reply)
    const page = await readFile(join(folder, 'index.html'), 'utf8')
    const origin = settings.publicUrl ?? `${request.protocol}://${request.host}`
    return reply
      .headers(pageHeaders)
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language')
      .type('text/html; charset=utf-8')
      .send(withInvite(page, invite, { origin, languages: request.headers['accept-language'] }))
  })
  app.get<{ Params: { '*': string } }>('/*', options, (request, reply) => {
    const path = request.params['*']
    if (/(^|\/)index\.html$/.test(path)) return sendPage(reply)
    if (isFile(path)) return sendFile(reply.headers(headersOf.get(path) ?? {}), path)
    if (isNavigation(request, path)) return sendPage(reply)
    return reply.callNotFound()
  })
}

/** Sends the client's page. Browsers always revalidate it, because it names the files of the newest build. */
function sendFrontPage(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-cache').sendFile('index.html')
}

/** Assets have a hash of their content in their name and never change. */
function sendFile(reply: FastifyReply, path: string): FastifyReply {
  const isHashed = path.startsWith('assets/')
  return reply
    .header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    .sendFile(path)
}

function isFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return /\../.test(name) && !isServerPath(`/${path}`)
}

/** Returns true for a browser opening a page, false for a program that requests a wrong address. */
function isNavigation({ headers }: FastifyRequest, path: string): boolean {
  return headers.accept?.includes('text/html') === true && !isServerPath(`/${path}`)
}
