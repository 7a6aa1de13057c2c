import type { FastifyRequest } from 'fastify'
import { ApiError } from '#src/kernel/errors.ts'
import { readBody, readOptionalBody } from '#src/kernel/http/bodies/body.ts'
import { invalidStorage } from './settings.ts'

/**
 * Reads a bucket's settings from the body.
 * @throws ApiError 400 `invalid_storage` for settings that no bucket can have
 */
export function readSettings<R extends FastifyRequest>(request: R): Promise<R['body']> {
  return readBody(request).catch(refuse)
}

/** Reads changed settings as `readSettings` does. Without a body nothing changes. */
export function readChangedSettings<R extends FastifyRequest>(request: R): Promise<R['body']> {
  return readOptionalBody(request).catch(refuse)
}

function refuse(error: unknown): never {
  const isOfSettings = error instanceof ApiError && error.code === 'invalid_request'
  throw isOfSettings ? invalidStorage(error.message) : error
}
