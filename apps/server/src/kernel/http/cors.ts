import type { FastifyReply, FastifyRequest } from 'fastify'

/** Paths that programs use: pages of any origin may read their answers. The web client's own pages and /metrics are not among them. */
const OPEN_PATHS: readonly string[] = ['/api/', '/attachments/', '/storage/']

/** Names of our headers that a page of another origin cannot read otherwise. */
const EXPOSED_HEADERS: readonly string[] = [
  'accept-ranges',
  'allow',
  'content-disposition',
  'content-encoding',
  'content-range',
  'etag',
  'last-modified',
  'location',
  'retry-after',
  'x-error-code',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-reset-after',
  'x-request-id',
  'x-unknown-attachments',
]

/** Headers that a page of another origin may send. X-Token-Storage is left out: cookies are for our own pages (decision 35). */
const ALLOWED_HEADERS: readonly string[] = [
  'authorization',
  'content-type',
  'if-none-match',
  'if-range',
  'range',
  'x-session-token',
]

/** Seconds for which a browser keeps a preflight: the longest that Chromium does. */
const PREFLIGHT_SECONDS = 7200

/** Sent whatever the Origin is, so that nothing that a cache keeps depends on it. */
const anyOrigin = { 'access-control-allow-origin': '*' }

const readable = { ...anyOrigin, 'access-control-expose-headers': EXPOSED_HEADERS.join(', ') }

/** Never with Allow-Credentials or Allow-Private-Network: see decision 36. */
const preflight = {
  ...anyOrigin,
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': ALLOWED_HEADERS.join(', '),
  'access-control-max-age': PREFLIGHT_SECONDS,
}

/** Lets pages of any origin read the answer, where the path is not the web client's own. */
export function allowAnyOrigin({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (isOpen(raw.url)) reply.headers(readable)
}

/**
 * Answers a browser that asks, ahead of a request, what a page of another origin may send. Such a question carries no
 * credential. Returns false for any other request.
 */
export function answerPreflight({ raw }: FastifyRequest, reply: FastifyReply): boolean {
  const { method, headers, url } = raw
  const isPreflight =
    method === 'OPTIONS' &&
    headers['access-control-request-method'] !== undefined &&
    headers.origin !== undefined
  if (!isPreflight || !isOpen(url)) return false
  reply.code(204).headers(preflight).send()
  return true
}

function isOpen(url = ''): boolean {
  return OPEN_PATHS.some((path) => url.startsWith(path))
}
