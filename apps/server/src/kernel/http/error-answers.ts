import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorBody } from '@foyer/protocol/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, type ErrorCode } from '../errors.ts'
import { allowAnyOrigin } from './cors.ts'
import { rateLimitedBody } from './discord-dialect.ts'

/** Retry-After during an outage. Most outages are over by then, and earlier retries would not help. */
const RETRY_AFTER_SECONDS = 1
/** Content type for Discord's clients, without a charset: discord.py does not recognize JSON with a charset. */
const BARE_JSON_TYPE = 'application/json'
const JSON_TYPE = 'application/json; charset=utf-8'

/** Answers a request with an error. Only this function does so. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = asApiError(error)
  if (known !== error && known.status >= 500)
    request.log.error({ err: error, request: request.id }, 'a request failed')
  const limited = rateLimitedBody(known, request)
  const body: ErrorBody = limited ?? { error: known.message }
  if (known.status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
  // Also covers requests that Fastify refuses before any hook.
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

/** Answers input that Node's parser cannot read as a request, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || isUnused(socket)) socket.destroy()
  else refuseConnection(socket, clientErrors[error.code ?? ''] ?? 'malformed_request')
}

/**
 * Returns true if no request was sent on the connection. A client that opened it in advance would take any answer for
 * the answer to its next request.
 */
function isUnused(socket: Duplex): boolean {
  return 'bytesRead' in socket && socket.bytesRead === 0
}

/**
 * Answers on a socket without a usable HTTP request, and closes the connection, even if the client never closes its
 * side.
 */
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

/** Errors of the operating system: full disks, and processes this machine cannot start. */
const systemErrors: Record<string, Answer> = {
  ENOSPC: ['disk_full'],
  EDQUOT: ['disk_full'],
  PROCESS_UNSTARTED: ['unavailable', 'files cannot be examined at the moment, try again later'],
}

/** Errors of Fastify before a handler runs. */
const frameworkErrors: Record<string, Answer> = {
  FST_ERR_BAD_URL: ['invalid_request', 'the path has an invalid encoding'],
  FST_ERR_MAX_PARAM_LENGTH: ['invalid_request', 'a part of the path is too long'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['invalid_request', 'Content-Type is not a media type'],
  FST_ERR_NOT_FOUND: ['not_found'],
}

/** Errors of PostgreSQL, by code or its first two characters, and of the socket. */
const databaseErrors: Record<string, Answer> = {
  57014: ['timeout'],
  '25P03': ['timeout'],
  '25P04': ['timeout'],
  // A standby, or a server that is becoming one. The address will soon reach another server.
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

/** Recognizes errors of lost connections by their message, because errors that `pg` itself throws have no code. */
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
