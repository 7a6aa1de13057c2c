import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Credentials } from '../credentials.ts'
import { ApiError } from '../errors.ts'
import type { Metrics } from '../metrics.ts'
import type { RateCounters } from '../rate-limits.ts'
import { authentication } from './authentication.ts'
import { isGoodText, refuseLongBody } from './body.ts'
import { rateLimiting } from './rate-limiting.ts'
import type { App } from './types.ts'
import { invalidPart, validatorCompiler } from './validation.ts'

export interface HttpDeps {
  log: Logger
  credentials: Credentials
  metrics: Metrics
  /** Undefined turns the limits of requests off. */
  rateCounters: RateCounters | undefined
  /** Addresses and ranges whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[]
}

const KEEP_ALIVE_MS = 75_000
const REQUEST_TIMEOUT_MS = 300_000

/** A server without routes, on which every request goes: length → who → bots → limits → path and query → the handler. */
export function createHttp(deps: HttpDeps): App {
  const app: App = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaErrorFormatter: (errors, part) => invalidPart(errors, part),
    frameworkErrors: (error, request, reply) => render(error, request, reply),
    routerOptions: { maxParamLength: 512 },
  })
  app.setValidatorCompiler(validatorCompiler)
  takeBodiesAsStreams(app)
  app.decorateRequest('authenticated', undefined)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onRequest', refuseLongBody)
  app.addHook('onRequest', authentication(deps.credentials))
  decorateCaller(app)
  if (deps.rateCounters !== undefined) app.addHook('onRequest', rateLimiting(deps.rateCounters))
  app.addHook('preValidation', refuseBadText)
  app.addHook('onResponse', async (request, reply) => observe(deps, request, reply))
  app.setErrorHandler(render)
  app.setNotFoundHandler(() => {
    throw new ApiError('not_found')
  })
  return app
}

/** Handlers read their body themselves, after access: see `readBody`. */
function takeBodiesAsStreams(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))
}

function decorateCaller(app: App): void {
  app.decorateRequest('caller', {
    getter() {
      if (this.authenticated === undefined) throw new ApiError('authentication_required')
      return this.authenticated
    },
  })
}

async function refuseBadText(request: FastifyRequest): Promise<void> {
  if (isGoodText(request.params) && isGoodText(request.query)) return
  throw new ApiError('invalid_request', 'text must not contain NUL or lone surrogates')
}

/** The one place where an error becomes an answer. */
function render(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const known = asApiError(error)
  if (known.code === 'internal') request.log.error({ err: error, request: request.id }, 'a request failed')
  reply
    .headers(known.headers)
    .header('x-request-id', request.id)
    .header('x-error-code', known.code)
    .header('content-type', 'application/json; charset=utf-8')
    .code(known.status)
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send({ error: known.message })
}

function asApiError(error: FastifyError | Error): ApiError {
  if (error instanceof ApiError) return error
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (status === 404) return new ApiError('not_found')
  if (status !== undefined && status >= 400 && status < 500)
    return new ApiError('invalid_request', error.message)
  return new ApiError('internal')
}

/** The route's pattern is logged, not the address: addresses may hold tokens. */
function observe({ log, metrics }: HttpDeps, request: FastifyRequest, reply: FastifyReply): void {
  const { method, url: route = 'none' } = { method: request.method, url: request.routeOptions.url }
  const status = reply.statusCode
  metrics.requests.observe({ method, route, status }, reply.elapsedTime / 1000)
  const level = status >= 500 ? 'error' : 'debug'
  log[level]({
    request: request.id,
    method,
    route,
    status,
    user: request.authenticated?.user.id,
    ms: reply.elapsedTime,
  })
}
