import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { Type } from 'typebox'
import type { Config } from '#src/config.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { App } from '#src/kernel/http/types.ts'
import type { Metrics } from '#src/kernel/metrics.ts'
import { sql } from '#src/kernel/sql/sql.ts'

export interface OperationDeps {
  database: Pick<Database, 'query'>
  databaseTrouble?: (() => string | undefined) | undefined
  metrics: Metrics
  config: Pick<Config, 'version' | 'services' | 'metricsToken' | 'publicUrl'>
}

const HEALTH_TIMEOUT_MS = 2000

const Health = Type.Object(
  { status: Type.Literal('ok'), version: Type.String(), services: Type.Array(Type.String()) },
  { title: 'Health' },
)

export function operationRoutes(app: App, deps: OperationDeps): void {
  healthRoute(app, deps)
  metricsRoute(app, deps)
}

function healthRoute(app: App, deps: OperationDeps): void {
  const { version, services } = deps.config
  app.get(
    '/api/health',
    {
      config: { access: 'public' },
      schema: { tags: ['Operations'], summary: 'Get Health', response: { 200: Health } },
    },
    async () => {
      if (app.lifecycle.starting) throw unhealthy('the server is starting')
      if (app.lifecycle.draining) throw unhealthy('the server is stopping')
      if (!(await answers(deps.database)))
        throw unhealthy(deps.databaseTrouble?.() ?? 'the database does not answer')
      return { status: 'ok' as const, version, services: [...services] }
    },
  )
}

/** @param reason a text that may be public */
function unhealthy(reason: string): ApiError {
  return new ApiError('unavailable', `temporarily unavailable: ${reason}`)
}

function answers(database: OperationDeps['database']): Promise<boolean> {
  const answered = database.query(sql`select 1`).then(
    () => true,
    () => false,
  )
  return Promise.race([answered, delay(HEALTH_TIMEOUT_MS, false, { ref: false })])
}

function metricsRoute(app: App, { metrics: { registry }, config }: OperationDeps): void {
  app.get(
    '/metrics',
    {
      config: { access: 'public' },
      schema: {
        tags: ['Operations'],
        summary: 'Get Metrics',
        response: {
          200: Type.Unsafe<string>({ type: 'string', description: 'Metrics as Prometheus reads them' }),
        },
      },
    },
    async (request, reply) => {
      if (!mayRead(request, config)) throw new ApiError('authentication_required')
      return reply.type(registry.contentType).send(await registry.metrics())
    },
  )
}

/**
 * Without a token, only programs on this machine can read metrics, and not through a proxy. With a PUBLIC_URL and no
 * token, nobody can: there is probably a proxy, and requests through a proxy that adds no header look local.
 */
function mayRead(
  { headers, socket }: FastifyRequest,
  { metricsToken, publicUrl }: OperationDeps['config'],
): boolean {
  if (metricsToken !== undefined) return isSame(headers.authorization ?? '', `Bearer ${metricsToken}`)
  if (publicUrl !== undefined) return false
  const isProxied = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) => name in headers)
  return !isProxied && isLoopback(socket.remoteAddress ?? '')
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}
