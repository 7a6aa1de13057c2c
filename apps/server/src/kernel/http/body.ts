import { isUtf8 } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { ApiError } from '../errors.ts'
import { hasBody, readBytes } from './body-bytes.ts'
import { SHORT_BODY_BYTES } from './body-memory.ts'
import { bodyValidator, compileInput, invalidInput } from './validation.ts'

/** Far more than any body of the API has, and what parses in milliseconds: 32 MiB could hold 16 million arrays. */
const MAX_JSON_VALUES = 100_000

/**
 * Reads, parses and validates the JSON body, by the route's body schema. Handlers call it after access was granted, so
 * that an outsider learns nothing from how their body is answered.
 * @param check throws for bytes that nobody should read
 * @throws ApiError 400 for a body that is not JSON of that schema, or that is over 32 MiB without having said so
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

/** The same for a route whose body may be left out, or sent without a length and empty: it is then `{}`. */
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
 * The value of JSON that came in another way than as a whole body, by its schema.
 * @throws ApiError 400, in words that begin with the field
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

/** Each step on a long body may take tens of milliseconds: between them, other work gets its turn. */
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

/** Counts what begins a value: within strings too, which makes it cheap and, at this bound, harms nobody. */
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

/** In valid UTF-8, NUL and surrogates can only be written as escapes: most bodies need no second look. */
function mayHideBadText(text: string): boolean {
  return /\\u(?:0000|[dD][89a-fA-F])/.test(text)
}

/** The outermost field that has bad text in it. */
function fieldOfBadText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return isGoodText(value) ? undefined : 'the request body'
  for (const [key, part] of Object.entries(value)) {
    if (!isGoodText(key)) return 'the request body'
    if (!isGoodText(part)) return key
  }
  return undefined
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
