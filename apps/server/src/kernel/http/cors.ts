import type { FastifyReply, FastifyRequest } from 'fastify'

/** Paths for programs, readable by pages of any origin. The web client's own pages and /metrics are not included. */
const OPEN_PATHS: readonly string[] = ['/api/', '/attachments/', '/storage/']

/** Our headers that a page of another origin could not read otherwise. */
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
  'x-second-factors',
  'x-unknown-attachments',
  'x-thread-id',
]

/**
 * Headers that a page of another origin may send. X-Token-Storage is left out: cookies are for our own pages
 * (decision 35).
 */
const ALLOWED_HEADERS: readonly string[] = [
  'authorization',
  'content-type',
  'if-none-match',
  'if-range',
  'range',
  'x-audit-reason',
  'x-session-token',
]

/** Seconds for which a browser keeps a preflight: the longest that Chromium allows. */
const PREFLIGHT_SECONDS = 7200

/** Header that is sent for any Origin, so that cached answers do not depend on the Origin. */
const anyOrigin = { 'access-control-allow-origin': '*' }

const readable = { ...anyOrigin, 'access-control-expose-headers': EXPOSED_HEADERS.join(', ') }

/** Headers of the answer to a preflight. Never Allow-Credentials or Allow-Private-Network: see decision 36. */
const preflight = {
  ...anyOrigin,
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': ALLOWED_HEADERS.join(', '),
  'access-control-max-age': PREFLIGHT_SECONDS,
}

/** Lets pages of any origin read the answer, unless the path belongs to the web client. */
export function allowAnyOrigin({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (isOpen(raw.url)) reply.headers(readable)
}

/**
 * Answers a preflight, in which a browser asks for the rights of a page of another origin. It carries no credential.
 * Returns false for any other request.
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
