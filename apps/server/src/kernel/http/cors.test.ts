import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { exchange, startKernel } from '#test/kernel.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { placeFile } from '#test/stored-files.ts'
import type { App } from './types.ts'

const ORIGIN = 'https://client.example'
/** Headers that pages may read by default. */
const SAFELISTED = ['cache-control', 'content-language', 'content-length', 'content-type', 'expires']
/** Headers that are the connection's or the browser's affair. */
const NOT_FOR_PAGES = [
  'connection',
  'content-security-policy',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'referrer-policy',
  'set-cookie',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
]

let server: TestServer
let ada: Person
let space: TestSpace
before(async () => {
  server = await startTestServer({ rateLimits: true })
  ada = await createPerson(server, 'ada')
  space = await makeSpace(ada)
})
after(() => server.close())

/** The request that a browser makes before one of a page of another origin. */
function preflight(path: string, method = 'POST', headers = 'authorization,content-type,x-session-token') {
  return server.fetch(path, {
    method: 'OPTIONS',
    headers: {
      origin: ORIGIN,
      'access-control-request-method': method,
      'access-control-request-headers': headers,
    },
  })
}

const listIn = (headers: Headers, name: string) => headers.get(name)?.split(', ') ?? []

async function placed(): Promise<string> {
  const bytes = Buffer.from('what the file holds')
  const ofMessage = { purpose: 'message', roomId: space.general, messageId: newId() } as const
  const { id } = await placeFile(server, { tenantId: space.id, bytes, ...ofMessage })
  return server.deps.downloads.urlOf(id, Date.now())
}

test('CORS-1: a preflight allows pages of any origin every method, and tokens in headers', async () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
  for (const path of ['/api/users/@me', '/api/nothing', `/attachments/${newId()}`, '/storage/a/b?sig=x'])
    for (const method of methods) assertAllowed(await preflight(path, method), method)
})

function assertAllowed({ status, headers }: Response, method: string): void {
  assert.equal(status, 204)
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.ok(listIn(headers, 'access-control-allow-methods').includes(method))
  assert.equal(headers.get('access-control-max-age'), '7200')
  const allowed = listIn(headers, 'access-control-allow-headers')
  for (const name of ['authorization', 'content-type', 'x-session-token', 'range', 'if-none-match'])
    assert.ok(allowed.includes(name), name)
}

test('CORS-2: pages of other origins may neither send cookies nor request tokens in cookies', async () => {
  const login = await server.fetch('/api/auth/login', {
    method: 'POST',
    headers: { origin: ORIGIN, 'content-type': 'application/json', cookie: 'session_token=x' },
    body: '{}',
  })
  const asked = await preflight('/api/auth/refresh', 'POST', 'content-type,x-token-storage')
  for (const { headers } of [login, asked]) {
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('access-control-allow-credentials'), null)
    assert.equal(headers.get('access-control-allow-private-network'), null)
  }
  const allowed = listIn(asked.headers, 'access-control-allow-headers')
  assert.ok(allowed.length > 0 && !allowed.includes('x-token-storage') && !allowed.includes('*'))
})

test('CORS-3: a preflight counts against no limit and needs no credential', async () => {
  const remaining = async () => {
    const { headers } = await server.fetch('/api/users/@me', { headers: ada.credentials })
    return Number(headers.get('x-ratelimit-remaining'))
  }
  const before = await remaining()
  for (let asked = 0; asked < 100; asked += 1) {
    const { status, headers } = await preflight('/api/users/@me', 'GET')
    assert.deepEqual([status, headers.get('x-ratelimit-limit')], [204, null])
  }
  // Seconds pass, and windows end: there may be more left, and not a hundred less.
  assert.ok((await remaining()) >= before - 2)
  const kernel = await startKernel(addRoutes, {
    rateCounters: server.deps.rateCounters,
    loadGuard: { isOverwhelmed: true },
  })
  const headers = { origin: ORIGIN, 'access-control-request-method': 'GET' }
  const [asked, refused] = await Promise.all([
    kernel.fetch('/api/broken', { method: 'OPTIONS', headers }),
    kernel.fetch('/api/broken', { headers }),
  ])
  assert.deepEqual([asked.status, refused.status], [204, 503])
  assert.equal(refused.headers.get('access-control-allow-origin'), '*')
  await kernel.app.close()
})

function addRoutes(app: App): void {
  app.get('/api/broken', { config: { access: 'public' } }, () => {
    throw new Error('broken')
  })
}

test('CORS-4: every answer of the API and of downloads can be read, including errors and limits', async () => {
  const file = await placed()
  const { location = '' } = Object.fromEntries((await server.fetch(file, { redirect: 'manual' })).headers)
  const stream = `${file}&stream=1`
  const { etag = '' } = Object.fromEntries((await server.fetch(stream)).headers)
  const long = { method: 'POST', body: Buffer.alloc(32 * 1024 * 1024 + 1) }
  const asked: [status: number, path: string, init?: RequestInit][] = [
    [200, '/api/users/@me', { headers: ada.credentials }],
    [200, '/api/docs/json'],
    [400, '/api/users/%E0%A4%A'],
    [400, '/api/users/no-id', { headers: ada.credentials }],
    [401, '/api/users/@me'],
    [404, '/api/nothing'],
    [413, '/api/auth/login', long],
    [307, file],
    [200, stream],
    [206, stream, { headers: { range: 'bytes=0-3' } }],
    [304, stream, { headers: { 'if-none-match': etag } }],
    [416, stream, { headers: { range: 'bytes=500-' } }],
    [403, file.replace(/sig=(.)/, (_whole, first) => (first === '_' ? 'sig=-' : 'sig=_'))],
    [404, `/attachments/${newId()}`],
    [200, location],
    [403, '/storage/a/b'],
  ]
  for (const [status, path, init] of asked) {
    const response = await server.fetch(path, { redirect: 'manual', ...init })
    assertReadable(response)
    assert.equal(response.status, status, path)
    await response.body?.cancel()
  }
})

test('CORS-4: answers to excessive, broken and late requests can be read', async () => {
  const body = JSON.stringify({ email: 'nobody@example.org', password: 'x' })
  const login = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  const answers = await Promise.all(Array.from({ length: 33 }, () => server.fetch('/api/auth/login', login)))
  const limited = answers.find(({ status }) => status === 429)
  assert.ok(limited !== undefined)
  assertReadable(limited)
  const kernel = await startKernel(addRoutes)
  const broken = await kernel.fetch('/api/broken')
  assertReadable(broken)
  assert.equal(broken.status, 500)
  const noHttp = await exchange(kernel.port, 'GET /api/broken HTTP/1.1\r\nno header\r\n\r\n')
  assert.match(noHttp, /^HTTP\/1\.1 400 .*\r\nAccess-Control-Allow-Origin: \*\r\n/s)
  await kernel.app.close()
})

function assertReadable({ headers }: Response): void {
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.ok(!listIn(headers, 'vary').includes('origin'))
  const exposed = listIn(headers, 'access-control-expose-headers')
  const hidden = [...headers.keys()].filter(
    (name) =>
      !name.startsWith('access-control-') && ![...exposed, ...SAFELISTED, ...NOT_FOR_PAGES].includes(name),
  )
  assert.deepEqual(hidden, [])
  for (const name of ['retry-after', 'x-ratelimit-reset-after', 'x-unknown-attachments'])
    assert.ok(exposed.includes(name), name)
}

test('CORS-5: the web client, metrics and the gateway are for their own origin only', async () => {
  for (const path of ['/', '/apis', '/metrics', '/gateway', '/attachments', '/spaces/x']) {
    const asked = await preflight(path, 'GET')
    assert.ok(asked.status >= 400, path)
    const answer = await server.fetch(path, { headers: { origin: ORIGIN } })
    for (const { headers } of [asked, answer]) assert.equal(headers.get('access-control-allow-origin'), null)
    await answer.body?.cancel()
  }
})

test('CORS-1: OPTIONS that is not a preflight is an ordinary error', async () => {
  for (const headers of [{}, { origin: ORIGIN }, { 'access-control-request-method': 'GET' }])
    assert.ok((await server.fetch('/api/users/@me', { method: 'OPTIONS', headers })).status >= 404)
})
