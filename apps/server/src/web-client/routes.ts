import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isServerPath } from '#src/kernel/http/server-paths.ts'
import type { App } from '#src/kernel/http/types.ts'
import { type InviteLookup, withInvite } from './invite-page.ts'
import { type PageSettings, pageHeadersFor } from './page-headers.ts'

const BUILT_CLIENT = fileURLToPath(new URL('../../../web/dist', import.meta.url))

const NOT_BUILT = `Foyer is running, but its web client has not been built.
Build it with bin/setup in the folder of the sources, and start Foyer again.
The API reference is at /api/docs.
`

const options = { config: { access: 'public' }, schema: { hide: true } } as const

interface Client {
  findInvite: InviteLookup
  /** Holds what the build of apps/web made. */
  folder?: string
}

/** The web client at /: its files, and its one page wherever else a browser goes. */
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
    // The build leaves .br and .gz beside its files.
    preCompressed: true,
  })
  const pageHeaders = pageHeadersFor(settings)
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
      .type('text/html; charset=utf-8')
      .send(withInvite(page, invite, origin))
  })
  app.get<{ Params: { '*': string } }>('/*', options, (request, reply) => {
    const path = request.params['*']
    // A worker answers for the page, and is held to what the page is held to.
    if (path === 'worker.js') reply.headers(pageHeaders)
    if (isFile(path)) return sendFile(reply, path)
    if (isNavigation(request, path)) return sendPage(reply)
    return reply.callNotFound()
  })
}

/** Never kept without asking: it names the files of the newest build. */
function sendFrontPage(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-cache').sendFile('index.html')
}

/** The build puts a hash of their content into the names of assets: those never change. */
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

/** A browser that opens an address, and not a program that mistook one. */
function isNavigation({ headers }: FastifyRequest, path: string): boolean {
  return headers.accept?.includes('text/html') === true && !isServerPath(`/${path}`)
}
