import { isUtf8 } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { ApiError } from '../../errors.ts'
import { bodyValidator, compileInput, invalidInput } from '../validation.ts'
import { hasBody, readBytes } from './body-bytes.ts'
import { SHORT_BODY_BYTES } from './body-memory.ts'

/**
 * Maximum values in a JSON body: far more than any body of the API has, and few enough to parse in milliseconds. 32 MiB
 * could hold 16 million arrays.
 */
const MAX_JSON_VALUES = 100_000

/**
 * Reads, parses and validates the JSON body by the route's schema. Handlers call it after access was granted, so that
 * an outsider learns nothing from the errors of a body.
 * @param check throws for bytes that must not be parsed
 * @throws ApiError 400 for a body that does not match, or over 32 MiB without a length
 */
export async function readBody<R extends FastifyRequest>(
  request: R,
  check: (bytes: Buffer) => void = () => undefined,
): Promise<R['body']> {
  if (!hasBody(request)) throw new ApiError('invalid_json', 'the request body is missing')
  requireJsonType(request)
  const bytes = await readBytes(request)
  check(bytes)
  return validate(request, await parseBody(bytes))
}

/** Reads an optional JSON body: `{}` if it is absent, or empty without a length. */
export async function readOptionalBody<R extends FastifyRequest>(request: R): Promise<R['body']> {
  const bytes = hasBody(request) ? await readBytes(request) : Buffer.alloc(0)
  if (bytes.length === 0) return {}
  requireJsonType(request)
  return validate(request, await parseBody(bytes))
}

function validate(request: FastifyRequest, body: unknown): unknown {
  const schema = request.routeOptions.schema?.body
  if (typeof schema !== 'object' || schema === null) throw new Error('the route has no body schema')
  const isValid = bodyValidator(schema)
  if (!isValid(body)) throw invalidInput(isValid.errors, 'the request body')
  return body
}

/**
 * Parses JSON that is not a whole body, by its schema.
 * @throws ApiError 400 with a message that begins with the field
 */
export function parseInput<S extends TSchema>(schema: S, json: string, whole: string): Static<S> {
  const value = parseJson(Buffer.from(json))
  const isValid = compileInput(schema)
  if (isValid(value)) return value
  throw invalidInput(isValid.errors, whole)
}

function requireJsonType({ mediaType }: FastifyRequest): void {
  const isJson = mediaType !== undefined && /^application\/([\w.-]+\+)?json$/.test(mediaType)
  if (!isJson) throw new ApiError('invalid_request', 'Content-Type must be application/json')
}

/** Parses a body, and lets other work run between the steps: on a long body, each may take tens of milliseconds. */
async function parseBody(bytes: Buffer): Promise<unknown> {
  if (bytes.length <= SHORT_BODY_BYTES) return parseJson(bytes)
  const steps = parsing(bytes)
  let step = steps.next()
  while (step.done !== true) {
    await nextTurn()
    step = steps.next()
  }
  return step.value
}

function parseJson(bytes: Buffer): unknown {
  const steps = parsing(bytes)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/** Yields after each step. */
function* parsing(bytes: Buffer): Generator<void, unknown> {
  if (hasTooManyValues(bytes)) throw new ApiError('invalid_request', 'the request body has too many values')
  yield
  if (!isUtf8(bytes)) throw new ApiError('invalid_json')
  const text = bytes.toString()
  yield
  const value = parseText(text)
  yield
  const field = mayHideBadText(text) ? fieldOfBadText(value) : undefined
  if (field === undefined) return value
  throw new ApiError('invalid_request', `${field} must not contain NUL or lone surrogates`)
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('invalid_json')
  }
}

/**
 * Counts characters that begin a value. It also counts within strings, which keeps it cheap and is harmless at this
 * bound.
 */
function hasTooManyValues(bytes: Buffer): boolean {
  if (bytes.length <= MAX_JSON_VALUES) return false
  return (
    countUpTo(MAX_JSON_VALUES, bytes, ',') +
      countUpTo(MAX_JSON_VALUES, bytes, '[') +
      countUpTo(MAX_JSON_VALUES, bytes, '{') >
    MAX_JSON_VALUES
  )
}

function countUpTo(limit: number, bytes: Buffer, character: string): number {
  let count = 0
  for (let at = bytes.indexOf(character); at >= 0 && count <= limit; at = bytes.indexOf(character, at + 1))
    count += 1
  return count
}

/** Returns whether JSON may have NUL or lone surrogates: in valid UTF-8, only as escapes. Most bodies need no second check. */
function mayHideBadText(text: string): boolean {
  return /\\u(?:0000|[dD][89a-fA-F])/.test(text)
}

/** Returns the outermost field that contains bad text. */
function fieldOfBadText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return isGoodText(value) ? undefined : 'the request body'
  for (const [key, part] of Object.entries(value)) {
    if (!isGoodText(key)) return 'the request body'
    if (!isGoodText(part)) return key
  }
  return undefined
}

/**
 * Returns whether no string in the value, keys included, has a NUL or a lone surrogate. Iterative, because the
 * sender chooses the depth.
 */
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
