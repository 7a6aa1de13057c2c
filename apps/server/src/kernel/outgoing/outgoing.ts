import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import { isPublic } from './addresses.ts'
import { boundedBody, watchedBody } from './bodies.ts'
import { guardedConnector, portOf } from './connector.ts'
import { type Guard, publicGuard, trustingGuard } from './guard.ts'
import { OutgoingError } from './outgoing-error.ts'
import type { OutgoingRequest, OutgoingResponse } from './outgoing-request.ts'
import { redirected } from './redirects.ts'
import { patientResolve, type Resolve, systemResolve } from './resolve.ts'
import { Silence } from './silence.ts'

/**
 * Private hosts that may be reached besides public ones: names, `*.suffixes`, addresses and ranges, each with or
 * without a port. `trusted` allows all, for addresses set by the operator.
 */
export type OutgoingOptions = { allowedPrivateHosts: readonly string[]; resolve?: Resolve } | 'trusted'

const TIMEOUTS = new Set(['UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'])

/**
 * Makes all outgoing requests of the server. An address chosen by a user must resolve to the public internet, or to
 * private hosts that the operator allows, also after redirects.
 */
export class Outgoing {
  readonly #guard: Guard
  readonly #agent: Agent

  /** @throws Error with the allowed host that is invalid */
  constructor(options: OutgoingOptions) {
    this.#guard = options === 'trusted' ? trustingGuard : guardOf(options)
    this.#agent = new Agent({ connect: guardedConnector(this.#guard), headersTimeout: 0 })
  }

  /**
   * @throws OutgoingError if there is no answer, or the request is not allowed
   * @throws the signal's reason once it is aborted
   */
  async send(request: OutgoingRequest): Promise<OutgoingResponse> {
    let current = request
    for (let followed = 0; ; followed += 1) {
      const answer = await this.#sendOnce(current)
      const next = request.maxRedirects ? redirected(current, answer) : undefined
      if (next === undefined) return answer
      answer.body.destroy()
      if (followed === request.maxRedirects) throw new OutgoingError('too_many_redirects', next.url.hostname)
      current = next
    }
  }

  /**
   * Checks that requests to the address are currently allowed. Without TLS, they are only allowed to private hosts.
   * @throws OutgoingError if they are not, or if the host is unknown
   */
  async checkTarget(url: URL): Promise<void> {
    checkUrl(url)
    const addresses = await this.#guard.addressesOf(url.hostname, portOf(url))
    if (addresses.length === 0) throw new OutgoingError('unreachable', url.hostname)
    const isInside = addresses.every(({ address }) => !isPublic(address))
    if (url.protocol !== 'https:' && !isInside) throw new OutgoingError('blocked', url.hostname)
  }

  /** Ends all running requests. */
  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  async #sendOnce(request: OutgoingRequest): Promise<OutgoingResponse> {
    checkUrl(request.url)
    const silence = new Silence(request.timeoutMs, () => new OutgoingError('timeout', request.url.hostname))
    const explain = (error: Error) => explained(error, request)
    try {
      const options = dispatchOptions(request, silence)
      const { statusCode, headers, body } = await this.#agent.request(options)
      return {
        status: statusCode,
        headers: plainHeaders(headers),
        body: limitedBody(request, body, headers),
        url: request.url,
      }
    } catch (error) {
      throw error instanceof Error ? explain(error) : error
    } finally {
      silence.stop()
    }
  }
}

function guardOf({ allowedPrivateHosts, resolve }: Exclude<OutgoingOptions, 'trusted'>): Guard {
  return publicGuard({
    allowedPrivateHosts,
    resolve: { allowed: resolve ?? systemResolve, others: resolve ?? patientResolve() },
  })
}

function checkUrl(url: URL): void {
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
  if (!isHttp || url.username !== '' || url.password !== '') {
    throw new OutgoingError('blocked', url.hostname)
  }
}

function dispatchOptions(
  { method, url, headers, body, timeoutMs, signal }: OutgoingRequest,
  silence: Silence,
): Dispatcher.RequestOptions {
  const ends = signal === undefined ? [silence.signal] : [silence.signal, signal]
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: headers ?? {},
    body: outgoingBody(body, silence),
    bodyTimeout: timeoutMs,
    signal: AbortSignal.any(ends),
  }
}

function outgoingBody(body: OutgoingRequest['body'], silence: Silence): Readable | Buffer | null {
  if (body === undefined || Buffer.isBuffer(body)) return body ?? null
  return watchedBody(body, () => silence.broken())
}

function limitedBody(request: OutgoingRequest, body: Readable, headers: IncomingHttpHeaders): Readable {
  const maxBytes = request.maxBytes ?? Number.POSITIVE_INFINITY
  const tooLarge = () => new OutgoingError('too_large', request.url.hostname)
  const bounded = boundedBody(body, { maxBytes, tooLarge, translate: (error) => explained(error, request) })
  if (request.method !== 'HEAD' && Number(headers['content-length'] ?? 0) > maxBytes) {
    bounded.destroy(tooLarge())
    throw tooLarge()
  }
  return bounded
}

function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const plain = Object.entries(headers).map(([name, value = '']) => {
    return [name, Array.isArray(value) ? value.join(', ') : value] as const
  })
  return Object.fromEntries(plain)
}

function explained(error: Error, { url, signal }: OutgoingRequest): Error {
  if (error instanceof OutgoingError) return error
  if (signal?.aborted) return signal.reason
  const isLate = 'code' in error && TIMEOUTS.has(String(error.code))
  return new OutgoingError(isLate ? 'timeout' : 'unreachable', url.hostname, { cause: error })
}
