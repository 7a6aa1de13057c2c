import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorBody } from '@foyer/protocol/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, type ErrorCode } from '../errors.ts'
import { allowAnyOrigin } from './cors.ts'
import { rateLimitedBody } from './discord-dialect.ts'

/** What is away is mostly back by then, and who asks again meanwhile is no help to it. */
const RETRY_AFTER_SECONDS = 1
/** Without the charset, which discord.py takes for another type. */
const BARE_JSON_TYPE = 'application/json'
const JSON_TYPE = 'application/json; charset=utf-8'

/** The one place where an error becomes an answer. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = asApiError(error)
  if (known !== error && known.status >= 500)
    request.log.error({ err: error, request: request.id }, 'a request failed')
  const limited = rateLimitedBody(known, request)
  const body: ErrorBody = limited ?? { error: known.message }
  if (known.status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
  // Also for what Fastify refuses before any hook.
  allowAnyOrigin(request, reply)
  reply
    .headers(known.headers)
    .header('cache-control', 'no-store')
    .header('x-request-id', request.id)
    .header('x-error-code', known.code)
    .header('content-type', limited === undefined ? JSON_TYPE : BARE_JSON_TYPE)
    .code(known.status)
    .serializer(JSON.stringify)
    .send(body)
}

/** Answers what Node's parser could not make a request of, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || isUnused(socket)) socket.destroy()
  else refuseConnection(socket, clientErrors[error.code ?? ''] ?? 'malformed_request')
}

/**
 * Whether nothing was asked on it. A client that opened it in advance takes whatever it hears for the answer to what it asks
 * at that moment.
 */
function isUnused(socket: Duplex): boolean {
  return 'bytesRead' in socket && socket.bytesRead === 0
}

/** Answers on a connection that is not, or no longer, HTTP's, and closes it: also for who never closes their own side. */
export function refuseConnection(
  socket: Duplex,
  code: ErrorCode,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (!socket.writable) socket.destroy()
  else socket.end(rawAnswer(code, headers), () => socket.destroy())
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const code = String(errorField(error, 'code'))
  const known =
    frameworkErrors[code] ?? systemErrors[code] ?? databaseErrors[code] ?? databaseErrors[code.slice(0, 2)]
  if (known !== undefined) return new ApiError(...known)
  if (isLostConnection(error)) return new ApiError('unavailable')
  const status = errorField(error, 'statusCode')
  return new ApiError(
    typeof status === 'number' && status >= 400 && status < 500 ? 'invalid_request' : 'internal',
  )
}

function errorField(error: unknown, name: 'code' | 'statusCode'): unknown {
  if (typeof error !== 'object' || error === null) return undefined
  return Reflect.get(error, name)
}

type Answer = readonly [code: ErrorCode, message?: string]

/** Disks that are full, wherever a handler found them so, and processes that this machine cannot start. */
const systemErrors: Record<string, Answer> = {
  ENOSPC: ['disk_full'],
  EDQUOT: ['disk_full'],
  PROCESS_UNSTARTED: ['unavailable', 'files cannot be examined at the moment, try again later'],
}

/** What Fastify refuses before a handler of ours sees it. */
const frameworkErrors: Record<string, Answer> = {
  FST_ERR_BAD_URL: ['invalid_request', 'the path is not validly encoded'],
  FST_ERR_MAX_PARAM_LENGTH: ['invalid_request', 'a part of the path is too long'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['invalid_request', 'Content-Type is not a media type'],
  FST_ERR_NOT_FOUND: ['not_found'],
}

/** PostgreSQL's conditions, by code or by the first two characters of its class, and the socket's. */
const databaseErrors: Record<string, Answer> = {
  57014: ['timeout'],
  '25P03': ['timeout'],
  '25P04': ['timeout'],
  // A standby, or one that is about to be: soon the address leads to another.
  25006: ['unavailable'],
  '08': ['unavailable'],
  53: ['unavailable'],
  '57P01': ['unavailable'],
  '57P02': ['unavailable'],
  '57P03': ['unavailable'],
  ECONNREFUSED: ['unavailable'],
  ECONNRESET: ['unavailable'],
  EPIPE: ['unavailable'],
  ENOENT: ['unavailable'],
  ETIMEDOUT: ['unavailable'],
  EHOSTUNREACH: ['unavailable'],
  ENETUNREACH: ['unavailable'],
  ENOTFOUND: ['unavailable'],
  EAI_AGAIN: ['unavailable'],
}

/** What `pg` throws of its own has no code. */
function isLostConnection(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(Connection terminated|Client has encountered a connection error|timeout e|Query read timeout)/.test(
      error.message,
    )
  )
}

const clientErrors: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

function rawAnswer(code: ErrorCode, headers: Readonly<Record<string, string>>): string {
  const { status, message } = new ApiError(code)
  const body = JSON.stringify({ error: message } satisfies ErrorBody)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    `X-Error-Code: ${code}`,
    'Access-Control-Allow-Origin: *',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
