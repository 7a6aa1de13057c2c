import type { IncomingMessage } from 'node:http'
import type { WebhookRateLimited } from '@foyer/protocol/webhooks'
import type { FastifyRequest } from 'fastify'
import type { ApiError } from '../errors.ts'

/** Libraries put the version of Discord's API into the path. */
const VERSIONED = /^\/api\/v(\d{1,2})(?=\/webhooks\/)/
const PREFIX = '/api/v'
/** From this version on, `retry_after` is in seconds. Discord treats a path without a version as an earlier version. */
const SECONDS_VERSION = 8

/** Returns the path without the version of Discord's API: all versions have the same routes. */
export function withoutVersion({ url = '/' }: IncomingMessage): string {
  return url.startsWith(PREFIX) ? url.replace(VERSIONED, '/api') : url
}

/** Returns the body of a 429 as Discord's clients read it; undefined for any other answer. */
export function rateLimitedBody(error: ApiError, request: FastifyRequest): WebhookRateLimited | undefined {
  const seconds = Number(error.headers['retry-after'])
  if (request.routeOptions.config?.dialect !== 'discord' || error.status !== 429 || !seconds) return undefined
  const version = Number(VERSIONED.exec(request.originalUrl)?.[1] ?? 0)
  const factor = version >= SECONDS_VERSION ? 1 : 1000
  return { error: error.message, retry_after: seconds * factor, global: false }
}
