import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import { ApiError } from '../errors.ts'
import type { LoadGuard } from '../limits/load-guard.ts'
import type { RateCounters } from '../limits/rate-limits.ts'
import type { Metrics } from '../metrics.ts'
import { type AuthenticationDeps, authentication } from './authentication.ts'
import { isGoodText } from './bodies/body.ts'
import { isTooLong } from './bodies/body-bytes.ts'
import { BodyMemory } from './bodies/body-memory.ts'
import type { FormSpace } from './bodies/form-space.ts'
import { limitBodyTime, refuseLongBody } from './bodies/long-bodies.ts'
import { discardUnreadBody } from './bodies/unread-bodies.ts'
import { connectionOptions, KEEP_ALIVE_MS } from './connection-options.ts'
import { allowAnyOrigin, answerPreflight } from './cors.ts'
import { withoutVersion } from './discord-dialect.ts'
import { drainOnClose } from './draining.ts'
import { answerClientError, answerError } from './error-answers.ts'
import { KnownMethods } from './known-methods.ts'
import { shedLoad } from './load-shedding.ts'
import { type ConnectionBounds, OpenConnections } from './open-connections.ts'
import { chargingBytes, limitingMisses, rateLimiting } from './rate-limiting.ts'
import { takingBotTurns, takingPageTurns } from './request-turns.ts'
import { serializerCompiler } from './serialization.ts'
import type { App } from './types.ts'
import { validatorCompiler } from './validation.ts'

export interface HttpDeps extends AuthenticationDeps {
  log: Logger
  metrics: Metrics
  /** Undefined disables the limits of requests. */
  rateCounters: RateCounters | undefined
  /** Refuses requests under heavy load, unless limits are disabled. */
  loadGuard: Pick<LoadGuard, 'isOverwhelmed'>
  /** Addresses and ranges whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[]
  /** Limits on the connections of one address; undefined for none. */
  connectionBounds: ConnectionBounds | undefined
  /** Disk space for the files of multipart request bodies that are being processed. */
  formSpace: FormSpace
}

const MAX_PATH_PART_LENGTH = 512
/** Strict-Transport-Security: for a year, browsers open no page of this host without TLS. */
const STRICT_TRANSPORT = 'max-age=31536000'

/**
 * Creates a server without routes. Every request is checked in this order: load and body length, caller, turns and rate
 * limits, path and query. Then the handler runs.
 */
export function createHttp(deps: HttpDeps): App {
  const app: App = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    // All requests share one logger: a child for each costs more than the line it may write.
    childLoggerFactory: (log) => log,
    genReqId: () => randomUUID(),
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node's timeout is the same for bodies of every length. Ours is `limitBodyTime`.
    requestTimeout: 0,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    rewriteUrl: withoutVersion,
    frameworkErrors: answerError,
    clientErrorHandler: answerClientError,
    http: connectionOptions,
    routerOptions: { maxParamLength: MAX_PATH_PART_LENGTH },
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  answerErrors(app, deps.rateCounters)
  answerUnserved(app)
  takeBodiesAsStreams(app)
  app.decorate('formSpace', deps.formSpace)
  addCaller(app)
  addHooks(app, deps)
  drainOnClose(app)
  const openConnections = new OpenConnections(deps.log, deps.connectionBounds)
  openConnections.limit(app.server)
  app.decorate('openConnections', openConnections)
  meetExpectations(app)
  return app
}

function answerErrors(app: App, counters: RateCounters | undefined): void {
  if (counters === undefined) {
    app.setErrorHandler(answerError)
    return
  }
  const limited = limitingMisses(counters)
  app.setErrorHandler<unknown, { Params: object }>(async (error, request, reply) => {
    answerError(await limited(error, request, reply), request, reply)
    return reply
  })
}

/** Answers requests without a route: 405 if the path has routes of other methods. */
function answerUnserved(app: App): void {
  const known = new KnownMethods()
  app.addHook('onRoute', (route) => known.add(route))
  app.setNotFoundHandler(({ raw }) => {
    const allow = known.of(raw.url ?? '')
    // For a path with an overlong part, the router finds no route, even if the method is right.
    if (allow.length === 0 || allow.includes(raw.method ?? '')) throw new ApiError('not_found')
    throw new ApiError('method_not_allowed', undefined, { allow: allow.join(', ') })
  })
}

/** Handlers read the body themselves, after access: see `readBody`. */
function takeBodiesAsStreams(app: App): void {
  app.decorate('bodyMemory', new BodyMemory())
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined))
}

/**
 * Sends `100-continue`, unless the body is long (see `takeLongBody`). Other expectations are ignored; Node by itself
 * would refuse them.
 */
function meetExpectations({ server }: App): void {
  server.on('checkContinue', (request, response) => {
    if (!isTooLong(request.headers)) response.writeContinue()
    server.emit('request', request, response)
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

function addCaller(app: App): void {
  app.decorateRequest('authenticated', undefined)
  app.decorateRequest('provenId', undefined)
  app.decorateRequest('caller', {
    getter() {
      if (this.authenticated === undefined) throw new ApiError('authentication_required')
      return this.authenticated
    },
  })
}

function addHooks(app: App, deps: HttpDeps): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    if ('encrypted' in request.socket) reply.header('strict-transport-security', STRICT_TRANSPORT)
    discardUnreadBody(request, reply)
    // Runs before any refusal or limit: browsers treat any other answer to a preflight as a refusal.
    if (answerPreflight(request, reply)) return
    allowAnyOrigin(request, reply)
    refuseMissingHost(request)
    if (deps.rateCounters !== undefined) shedLoad(deps.loadGuard, request)
    refuseLongBody(request)
    done()
  })
  app.addHook('onRequest', authentication(deps))
  if (deps.rateCounters !== undefined) {
    const pageTurns = takingPageTurns()
    app.addHook('onRequest', pageTurns.enter)
    app.addHook('onRequest', rateLimiting(deps.rateCounters))
    app.addHook('onRequest', takingBotTurns())
    app.addHook('onRoute', chargingBytes(deps.rateCounters))
    app.addHook('onRoute', pageTurns.onRoute)
  }
  app.addHook('preHandler', (request, reply, done) => {
    limitBodyTime(request, reply)
    refuseNul(request)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    observe(deps, request, reply)
    done()
  })
}

function refuseMissingHost({ headers, raw }: FastifyRequest): void {
  if (headers.host === undefined && raw.httpVersion === '1.1')
    throw new ApiError('malformed_request', undefined, { connection: 'close' })
}

/** Refuses NUL in paths and queries, where only `%00` can encode it. Lone surrogates cannot be encoded at all. */
function refuseNul({ raw, params, query }: FastifyRequest): void {
  if (!raw.url?.includes('%00')) return
  const fields = [...Object.entries(params ?? {}), ...Object.entries(query ?? {})]
  const [bad] = fields.filter((field) => !isGoodText(field)).map(([name]) => name)
  if (bad !== undefined) throw new ApiError('invalid_request', `${bad} must not contain NUL`)
}

/** Logs the route's pattern, not the address, which may contain tokens. */
function observe({ log, metrics }: HttpDeps, request: FastifyRequest, reply: FastifyReply): void {
  const { method } = request
  const { url: route = 'none' } = request.routeOptions
  const { statusCode: status, elapsedTime: ms } = reply
  metrics.requests.observe({ method, route, status }, ms / 1000)
  const level = status >= 500 ? 'error' : 'debug'
  if (!log.isLevelEnabled(level)) return
  const user = request.authenticated?.user.id
  log[level]({ request: request.id, method, route, status, user, ms: Math.round(ms * 10) / 10 }, 'request')
}
