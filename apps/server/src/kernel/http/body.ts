import { isUtf8 } from 'node:buffer'
import { MAX_BODY_BYTES } from '@foyer/protocol/limits'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { bodyValidator, invalidInput } from './validation.ts'

/**
 * Reads, parses and validates the JSON body, by the route's body schema. Handlers call it after access was granted, so
 * that an outsider learns nothing from how their body is answered.
 * @throws ApiError 400 for a body that is not JSON of that schema, 413 for one over 32 MiB
 */
export async function readBody<R extends FastifyRequest>(request: R): Promise<R['body']> {
  const schema = request.routeOptions.schema?.body
  if (typeof schema !== 'object' || schema === null) throw new Error('the route has no body schema')
  const body = parseJson(await readBytes(request))
  const validate = bodyValidator(schema)
  if (!validate(body)) throw invalidInput(validate.errors, 'the request body')
  return body
}

/** The same for a route whose body may be left out, which is then `{}`. */
export async function readOptionalBody<R extends FastifyRequest>(request: R): Promise<R['body']> {
  const { headers } = request
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
  return hasBody ? readBody(request) : {}
}

/** Refuses a body that says it is too long before any of it is read. */
export async function refuseLongBody(request: FastifyRequest): Promise<void> {
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > MAX_BODY_BYTES) throw new ApiError('body_too_large', undefined, { connection: 'close' })
}

/** A body without a length is cut off at the limit, and then fails to read. */
async function readBytes(request: FastifyRequest): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of request.raw) {
      length += chunk.length
      if (length > MAX_BODY_BYTES) throw new Error('over the limit')
      chunks.push(chunk)
    }
  } catch {
    throw new ApiError('body_unreadable', undefined, { connection: 'close' })
  }
  return Buffer.concat(chunks, length)
}

function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new ApiError('invalid_json')
  const text = bytes.toString()
  try {
    const value: unknown = JSON.parse(text)
    if (!mayHideBadText(text) || isGoodText(value)) return value
  } catch {
    throw new ApiError('invalid_json')
  }
  throw new ApiError('invalid_request', 'text must not contain NUL or lone surrogates')
}

/** In valid UTF-8, NUL and surrogates can only be written as escapes: most bodies need no second look. */
function mayHideBadText(text: string): boolean {
  return /\\u(?:0000|[dD][89a-fA-F])/.test(text)
}

/** Whether no string in the value, key or not, has a NUL or a lone surrogate. Without recursion: depth is the sender's choice. */
export function isGoodText(value: unknown): boolean {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string' && (next.includes('\0') || !next.isWellFormed())) return false
    if (typeof next === 'object' && next !== null) append(open, next)
  }
  return true
}

function append(open: unknown[], parent: object): void {
  for (const [key, value] of Object.entries(parent)) open.push(key, value)
}
