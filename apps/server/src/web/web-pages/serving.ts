import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Turns } from '#src/kernel/database/turns.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { encodingFor } from '#src/kernel/http/encodings.ts'
import { isKnownTag } from '#src/kernel/http/etags.ts'
import { networkOf } from '#src/kernel/http/network-of.ts'
import { type RateCounters, rateLimits } from '#src/kernel/limits/rate-limits.ts'
import { html } from './making/html.ts'
import type { PageJob } from './making/jobs.ts'
import { layOut, pageHeaders } from './making/layout.ts'
import { HTML_TYPE, type MadePage } from './making/made-page.ts'
import type { StoredPage } from './making/storing.ts'
import { type Words, wordsFor } from './making/words.ts'
import type { PageCache } from './page-cache.ts'
import type { Elsewhere, PageThread } from './page-thread.ts'

const decompress = promisify(brotliDecompress)

const MAX_WAITING = 64
/** Longest pause after making a page, so that a slow page does not delay the next request for seconds. */
export const MAX_PAGE_REST_MS = 20
/** Length of the pause while further requests wait, as a multiple of the work before it. */
const CROWDED_REST = 8
/** Attempts to make a page whose space changes while it is made. */
const MAX_ATTEMPTS = 5
/** Key of the single queue in which all pages wait for their turn. */
const PAGES = 'pages'

export interface PageServerDeps {
  readonly webPages: PageCache
  readonly pageThread: Pick<PageThread, 'make'>
  /** Undefined turns rate limits off. */
  readonly rateCounters: RateCounters | undefined
  /** Undefined to use the host of each request. */
  readonly publicUrl: string | undefined
  /** Longest pause after making a page. */
  readonly maxPageRestMs: number
}

/** Returns the page to make, or another one to redirect to; undefined for a page that cannot be read. */
export type Finder = () => Promise<PageJob | Elsewhere | undefined>

/** Sends pages from the cache, and makes the others, one at a time. */
export class PageServer {
  readonly #deps: PageServerDeps
  readonly #making = new Map<string, Promise<StoredPage | Elsewhere | undefined>>()
  /** Has no limits, because `#admit` refuses with a page, whereas limits of `Turns` would refuse with JSON. */
  readonly #turns = new Turns({
    atOnce: 1,
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitMs: Number.POSITIVE_INFINITY,
  })

  constructor(deps: PageServerDeps) {
    this.#deps = deps
  }

  async answer(request: FastifyRequest, reply: FastifyReply, find: Finder): Promise<FastifyReply> {
    const key = this.#keyOf(request)
    const page = this.#deps.webPages.find(key) ?? (await this.#makeFor(request, reply, find))
    if (page === undefined) return reply
    if (page === 'missing') return missing(reply, wordsFor(languageOf(request)))
    if ('location' in page)
      return reply.code(301).header('cache-control', 'no-cache').header('location', page.location).send()
    return send(request, reply, page)
  }

  /**
   * Sends a document that is not cached, because it changes without an event.
   * @param make returns undefined for a document that cannot be read
   */
  async answerUnkept(
    request: FastifyRequest,
    reply: FastifyReply,
    make: () => Promise<Pick<MadePage, 'type' | 'text' | 'links'> | undefined>,
  ): Promise<FastifyReply> {
    if (!(await this.#admit(request, reply))) return reply
    const made = await this.#inTurn(make)
    if (made === undefined) return missing(reply, wordsFor(languageOf(request)))
    reply.headers(pageHeaders).header('cache-control', 'no-cache').headers(unindexed)
    if (made.links !== undefined) reply.header('link', made.links)
    return reply.type(made.type).send(made.text)
  }

  /** @returns false if the request was refused */
  async #admit(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const isAllowed = await this.#mayMake(request.ip)
    if (isAllowed && this.#turns.waiting < MAX_WAITING) return true
    refuse(reply, isAllowed ? 503 : 429, wordsFor(languageOf(request)))
    return false
  }

  /** @returns undefined if the request was refused */
  async #makeFor(
    request: FastifyRequest,
    reply: FastifyReply,
    find: Finder,
  ): Promise<StoredPage | Elsewhere | 'missing' | undefined> {
    if (!(await this.#admit(request, reply))) return undefined
    // A page that was begun before a change may lack that change, so requests share a page only if nothing changed between them.
    const key = `${this.#keyOf(request)} ${this.#deps.webPages.begin()}`
    const making = this.#making.get(key) ?? this.#inTurn(() => this.#make(request, find))
    this.#making.set(key, making)
    try {
      return (await making) ?? 'missing'
    } finally {
      this.#making.delete(key)
    }
  }

  /** Returns the cache key. Pages contain the server's address, so without a PUBLIC_URL each host has its own pages. */
  #keyOf(request: FastifyRequest): string {
    const { publicUrl } = this.#deps
    return publicUrl === undefined ? `${originOf(this.#deps, request)}${request.url}` : request.url
  }

  async #mayMake(address: string): Promise<boolean> {
    const { limit, windowMs } = rateLimits.webPages
    const counter = { subject: networkOf(address), name: 'webPages', limit, windowMs }
    const decision = await this.#deps.rateCounters?.take([counter], Date.now())
    return decision?.allowed !== false
  }

  /**
   * Makes a page. If its space changes in between, begins again, because content that was readable before may no longer be
   * readable.
   * @throws ApiError 503 if the space never stops changing
   */
  async #make(request: FastifyRequest, find: Finder): Promise<StoredPage | Elsewhere | undefined> {
    const { webPages, pageThread } = this.#deps
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const madeAt = webPages.begin()
      const job = await find()
      if (job === undefined || 'location' in job) return job
      const made = await pageThread.make({ job, origin: originOf(this.#deps, request), url: request.url })
      if (webPages.isMarked(spaceOf(job), madeAt)) continue
      if (made === undefined || 'location' in made) return made
      webPages.keep(this.#keyOf(request), { ...made, madeAt })
      return made.page
    }
    throw new ApiError('unavailable')
  }

  /**
   * Runs the work of one page at a time, and pauses after it for as long as it took, or eight times as long while other
   * requests wait, up to the limit. This keeps crawlers from taking the time that members need.
   */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    let begunAt = 0
    const timed = () => {
      begunAt = performance.now()
      return work()
    }
    const restOf = () => {
      const tookMs = performance.now() - begunAt
      return Math.min(this.#turns.waiting > 0 ? tookMs * CROWDED_REST : tookMs, this.#deps.maxPageRestMs)
    }
    return this.#turns.run(PAGES, timed, restOf)
  }
}

/** Returns the space that a page is about; an empty id for pages about the server. */
function spaceOf(job: PageJob): string {
  return 'readable' in job ? job.readable.space.id : ''
}

/** Returns the public origin of this server. */
export function originOf(
  { publicUrl }: Pick<PageServerDeps, 'publicUrl'>,
  { protocol, host }: FastifyRequest,
): string {
  return publicUrl ?? `${protocol}://${host}`
}

/** Sends a page. `no-cache` lets caches keep it, but they must revalidate it each time. */
async function send(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  page: StoredPage,
): Promise<FastifyReply> {
  const takesBrotli = encodingFor(headers['accept-encoding']) === 'br'
  // A strong ETag stands for exact bytes, so the compressed form has its own.
  const etag = takesBrotli ? page.etag.replace(/"$/, '-br"') : page.etag
  reply.headers(pageHeaders).header('cache-control', 'no-cache').header('etag', etag)
  reply.header('vary', 'accept-encoding')
  if (!page.isIndexed) reply.headers(unindexed)
  if (page.links !== undefined) reply.header('link', page.links)
  if (isKnownTag(headers['if-none-match'], etag)) return reply.code(304).send()
  reply.type(page.type)
  if (takesBrotli) return reply.header('content-encoding', 'br').send(page.compressed)
  return reply.send(await decompress(page.compressed))
}

/** Header that keeps an answer out of search engines. Feeds and files have no HTML element for that. */
export const unindexed = { 'x-robots-tag': 'noindex' } as const

function languageOf({ headers }: FastifyRequest): string {
  return headers['accept-language'] ?? 'en'
}

/** Sends the same 404 for hidden content as for content that never existed. */
export function missing(reply: FastifyReply, words: Words): FastifyReply {
  return note(reply.code(404), words, words.missingText)
}

function refuse(reply: FastifyReply, code: 429 | 503, words: Words): void {
  note(reply.code(code).header('retry-after', '60'), words, words.busy)
}

function note(reply: FastifyReply, words: Words, text: string): FastifyReply {
  const title = text === words.missingText ? words.missing : 'Foyer'
  const content = html`<h1>${title}</h1>\n<p>${text}</p>`
  const page = layOut({ words, title, description: text, origin: '', path: '/', trail: [], content })
  return reply.headers(pageHeaders).header('cache-control', 'no-store').type(HTML_TYPE).send(page)
}
