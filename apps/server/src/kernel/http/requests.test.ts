import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Uuid } from '@foyer/protocol/schema'
import { Type } from 'typebox'
import { exchange, startKernel, type TestKernel } from '#test/kernel.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import type { App } from './types.ts'

const ID = '0199c0de-0000-7000-8000-000000000001'

let kernel: TestKernel
let server: TestServer
let ada: Person
let bot: Person
before(async () => {
  kernel = await startKernel(addRoutes)
  server = await startTestServer({ rateLimits: true })
  ada = await createPerson(server, 'ada')
  bot = await createBot(server, 'robot')
})
after(() => Promise.all([kernel.app.close(), server.close()]))

function addRoutes(app: App): void {
  const config = { access: 'public' } as const
  const querystring = Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
    all: Type.Optional(Type.Boolean()),
    ids: Type.Optional(Type.Array(Uuid(), { maxItems: 2 })),
    q: Type.Optional(Type.String({ maxLength: 3 })),
  })
  const params = Type.Object({ thingId: Uuid() })
  app.get('/things/:thingId', { config, schema: { params, querystring } }, async (request) => request.query)
  app.get('/named/:name', { config }, async (request) => request.params)
}

async function told(response: Response): Promise<[number, string]> {
  const { error }: { error: string } = JSON.parse(await response.text())
  return [response.status, error]
}

test('HTTP-10: an id that is not a UUID is 400, and the message names it', async () => {
  const bad = ['1', `urn:uuid:${ID}`, `${ID}0`, ID.replaceAll('-', ''), `${ID}%00`, '%20', "'--"]
  for (const id of bad) {
    assert.deepEqual(await told(await kernel.fetch(`/things/${id}`)), [400, 'thingId must be a valid uuid'])
  }
  for (const id of [ID, ID.toUpperCase()]) assert.equal((await kernel.fetch(`/things/${id}`)).status, 200)
})

test('HTTP-10: a number of hundreds of digits is too large', async () => {
  const read = await kernel.fetch(`/things/${ID}?limit=${'9'.repeat(400)}`)
  assert.deepEqual(await told(read), [400, 'limit is too large'])
})

test('HTTP-10: a query is read with the schema’s type, or is 400 with the parameter’s name', async () => {
  const read = await kernel.fetch(`/things/${ID}?limit=7&all=true&ids=${ID}&q=%F0%9F%98%80ab&more=1`)
  assert.deepEqual(await read.json(), { limit: 7, all: true, ids: [ID], q: '😀ab', more: '1' })
  assert.deepEqual(await (await kernel.fetch(`/things/${ID}`)).json(), { limit: 50 })
  const wrong = {
    'limit=0': 'limit must be >= 1',
    'limit=x': 'limit must be integer',
    'limit=': 'limit must be integer',
    'limit=1.5': 'limit must be integer',
    'limit=1&limit=2': 'limit must be integer',
    'all=maybe': 'all must be boolean',
    'ids=1': 'ids.0 must be a valid uuid',
    'q=abcd': 'q must not have more than 3 characters',
    'q=a%00': 'q must not contain NUL',
  }
  for (const [query, message] of Object.entries(wrong)) {
    assert.deepEqual(await told(await kernel.fetch(`/things/${ID}?${query}`)), [400, message])
  }
  assert.deepEqual(await told(await kernel.fetch('/named/a%00')), [400, 'name must not contain NUL'])
})

test('HTTP-4: authentication is checked first', async () => {
  const nobody = await server.fetch('/api/spaces', { method: 'POST', body: 'not json' })
  assert.deepEqual(await told(nobody), [401, 'authentication required'])
  assert.equal(nobody.headers.get('x-ratelimit-limit'), null)
  assert.equal((await server.fetch('/api/spaces/not-an-id')).status, 401)
})

test('HTTP-4: bots are refused before limits count them, and limits are checked before the path', async () => {
  assert.equal((await bot.call('POST', '/api/spaces', 'not json')).code, 'bots_not_allowed')
  for (let sent = 0; sent < 64; sent += 1) {
    if (sent === 40) await new Promise((resolve) => setTimeout(resolve, 1000))
    assert.equal((await ada.call('GET', '/api/users/not-an-id')).status, 400)
  }
  assert.equal((await ada.call('GET', '/api/users/not-an-id')).code, 'rate_limited')
})

test('HTTP-4: the path is checked before access, and access before the body', async () => {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  assert.equal((await ada.call('POST', '/api/rooms/x/messages', 'not json')).code, 'invalid_request')
  const outside = await ada.call('POST', `/api/rooms/${ID}/messages`, 'not json')
  assert.ok(outside.status === 403 || outside.status === 404)
  assert.equal((await ada.call('POST', '/api/spaces', 'not json')).code, 'invalid_json')
})

test('HTTP-15: an offer to upgrade to another protocol than WebSocket changes nothing', async () => {
  const head =
    'Host: a\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk'
  const answer = await exchange(
    Number(new URL(server.url).port),
    `GET /api/health HTTP/1.1\r\n${head}\r\n\r\n`,
  )
  assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*"status":"ok"/)
})

test('HTTP-23: a path that is too long is not answered as a wrong method', async () => {
  for (const path of ['/api/users/', '/api/rooms/']) {
    const { status } = await server.fetch(`${path}${'x'.repeat(600)}`, { headers: ada.credentials })
    assert.ok(status === 400 || status === 404, `${status}`)
  }
})
