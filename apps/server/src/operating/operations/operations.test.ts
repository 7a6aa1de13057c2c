import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { App } from '#src/kernel/http/types.ts'
import { createMetrics } from '#src/kernel/metrics.ts'
import { startKernel } from '#test/kernel.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { type OperationDeps, operationRoutes } from './routes.ts'

let server: TestServer
before(async () => {
  server = await startOwnServer()
})
after(() => server.close())

test('OPS-1: health is 200 when the database answers', async () => {
  const response = await server.fetch('/api/health')
  assert.equal(response.status, 200)
  assert.deepEqual(await response.json(), {
    status: 'ok',
    version: server.deps.config.version,
    services: ['api', 'gateway', 'jobs', 'voice'],
  })
})

test('OPS-1: health is 503 when the database is down, and when the server is starting or stopping', async () => {
  const away = async () => {
    throw new Error('away')
  }
  const broken = await startKernel((app) => operationRoutes(app, depsWith({ query: away })))
  const answer = await broken.fetch('/api/health')
  assert.equal(answer.status, 503)
  assert.deepEqual(await answer.json(), { error: 'temporarily unavailable: the database does not answer' })
  const stopping = await startKernel((app) => operationRoutes(app, depsWith({ query: async () => [] })))
  assert.equal((await stopping.fetch('/api/health')).status, 200)
  stopping.app.lifecycle.starting = true
  assert.equal((await stopping.fetch('/api/health')).status, 503)
  stopping.app.lifecycle.starting = false
  stopping.app.lifecycle.draining = true
  assert.equal((await stopping.fetch('/api/health')).headers.get('x-error-code'), 'unavailable')
  await Promise.all([broken.app.close(), stopping.app.close()])
})

test('OPS-2: metrics name routes by their pattern', async () => {
  await server.fetch('/api/invites/AbCdEfGh12')
  const response = await server.fetch('/metrics')
  const text = await response.text()
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain/)
  assert.match(
    text,
    /foyer_http_request_seconds_count\{method="GET",route="\/api\/invites\/:code",status="404"\} 1\n/,
  )
  assert.doesNotMatch(text, /AbCdEfGh12/)
})

test('OPS-2: metrics without a token are for this machine only, and not through a proxy', async () => {
  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
    const response = await server.fetch('/metrics', { headers: { [header]: '127.0.0.1' } })
    assert.equal(response.status, 401)
  }
})

test('OPS-2: metrics with a token are for clients that have it', async () => {
  const addRoutes = (app: App) => operationRoutes(app, depsWith({ query: async () => [] }, 'metrics-secret'))
  const { app, fetch } = await startKernel(addRoutes)
  const statusFor = async (headers: Record<string, string>) => (await fetch('/metrics', { headers })).status
  assert.equal(await statusFor({}), 401)
  assert.equal(await statusFor({ authorization: 'Bearer metrics-secre' }), 401)
  assert.equal(
    await statusFor({ authorization: 'Bearer metrics-secret', 'x-forwarded-for': '192.0.2.1' }),
    200,
  )
  await app.close()
})

test('OPS-2: nobody can read metrics without a token if there is a PUBLIC_URL, not even this machine', async () => {
  const { metrics, config } = depsWith({ query: async () => [] })
  const publicUrl = 'https://chat.example.org'
  const { app, fetch } = await startKernel((app) =>
    operationRoutes(app, { database: { query: async () => [] }, metrics, config: { ...config, publicUrl } }),
  )
  assert.equal((await fetch('/metrics')).status, 401)
  await app.close()
})

function depsWith(database: OperationDeps['database'], metricsToken?: string): OperationDeps {
  return {
    database,
    metrics: createMetrics(),
    config: { version: '0', services: ['api'], metricsToken, publicUrl: undefined },
  }
}
