import { Readable } from 'node:stream'
import type { OutgoingRequest, OutgoingResponse } from './outgoing-request.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Headers that are kept on a redirect to another origin. The caller's other headers are meant for the first origin only. */
const CARRIED_ELSEWHERE = new Set([
  'accept',
  'accept-language',
  'content-type',
  'if-range',
  'range',
  'user-agent',
])
const OF_BODIES = new Set(['content-length', 'content-type', 'content-encoding'])

/**
 * Returns the request that follows a redirect; undefined for other answers, and if the body is a stream, which can be
 * sent only once.
 */
export function redirected(
  request: OutgoingRequest,
  { status, headers }: Pick<OutgoingResponse, 'status' | 'headers'>,
): OutgoingRequest | undefined {
  if (!REDIRECTS.has(status) || headers.location === undefined) return undefined
  const url = URL.parse(headers.location, request.url.href)
  if (url === null) return undefined
  const asGet = status === 303 || (status < 303 && request.method === 'POST')
  if (!asGet && request.body instanceof Readable) return undefined
  return { ...(asGet ? getInstead(request) : request), url, headers: carried(request, url, asGet) }
}

function getInstead({ body: _sent, method, ...rest }: OutgoingRequest): OutgoingRequest {
  return { ...rest, method: method === 'HEAD' ? 'HEAD' : 'GET' }
}

function carried(request: OutgoingRequest, url: URL, asGet: boolean): Record<string, string> {
  const elsewhere = url.origin !== request.url.origin
  const kept = Object.entries(request.headers ?? {}).filter(([name]) => {
    const lower = name.toLowerCase()
    return (!elsewhere || CARRIED_ELSEWHERE.has(lower)) && !(asGet && OF_BODIES.has(lower))
  })
  return Object.fromEntries(kept)
}
