import assert from 'node:assert/strict'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type ErrorCode, errors } from '#src/kernel/errors.ts'
import { exchange, openSocket, startKernel, type TestKernel } from '#test/kernel.ts'
import type { App } from './types.ts'

/** A statement, a transaction that waits for us, and one in all, took too long. */
const SLOW = ['57014', '25P03', '25P04']

let kernel: TestKernel
before(async () => {
  kernel = await startKernel(addRoutes)
})
after(() => kernel.app.close())

function addRoutes(app: App): void {
  const config = { access: 'public' } as const
  app.get('/things/:name', { config }, async () => ({ ok: true }))
  app.get('/broken', { config }, async () => {
    throw new Error('the password is hunter2')
  })
  app.get('/wild', { config }, async () => {
    throw 'a string'
  })
  app.get('/lost', { config }, async () => {
    throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7'), { code: 'ECONNREFUSED' })
  })
  for (const code of SLOW)
    app.get(`/slow/${code}`, { config }, async () => {
      throw Object.assign(new Error('canceling statement'), { code })
    })
  app.get('/private', async () => ({ ok: true }))
  app.post('/things', { config }, async () => ({ ok: true }))
}

async function assertError(
  response: Response,
  code: ErrorCode,
  message: string = errors[code].message,
): Promise<void> {
  assert.equal(response.headers.get('x-error-code'), code)
  assert.equal(response.status, errors[code].status)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.match(response.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
  assert.equal(await response.text(), JSON.stringify({ error: message }))
}

test('HTTP-1: an unknown route is 404, with any method', async () => {
  for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
    await assertError(await kernel.fetch('/nothing', { method }), 'not_found')
  }
})

test('HTTP-23: a wrong method is 405, and Allow names the right ones', async () => {
  const wrong = [
    ['PUT', '/things/a', 'GET, HEAD'],
    ['OPTIONS', '/things/a?x=1', 'GET, HEAD'],
    ['PROPFIND', '/things/a', 'GET, HEAD'],
    ['DELETE', '/things', 'POST'],
    ['POST', '/private', 'GET, HEAD'],
  ] as const
  for (const [method, path, allow] of wrong) {
    const response = await kernel.fetch(path, { method })
    assert.equal(response.headers.get('allow'), allow)
    await assertError(response, 'method_not_allowed')
  }
  const head = await kernel.fetch('/things', { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('allow')], [405, 'POST'])
  for (const path of ['/things/', '/things/a/b', '/private/', '/Things'])
    await assertError(await kernel.fetch(path, { method: 'PUT' }), 'not_found')
})

test('HTTP-1: a path that is wrongly encoded or too long is 400', async () => {
  const encoded = await kernel.fetch('/things/%ff')
  await assertError(encoded, 'invalid_request', 'the path has an invalid encoding')
  const long = await kernel.fetch(`/things/${'a'.repeat(600)}`)
  await assertError(long, 'invalid_request', 'a part of the path is too long')
})

test('HTTP-1: an invalid Content-Type is 400', async () => {
  const response = await kernel.fetch('/things', {
    method: 'POST',
    headers: { 'content-type': ';;' },
    body: '{}',
  })
  await assertError(response, 'invalid_request', 'Content-Type is not a media type')
})

test('HTTP-1: a missing credential is 401', async () => {
  await assertError(await kernel.fetch('/private'), 'authentication_required')
})

test('HTTP-1: a request that is not HTTP is 400, and the connection closes', async () => {
  for (const bytes of ['nonsense\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n']) {
    assertRawError(await exchange(kernel.port, bytes), 'malformed_request')
  }
})

test('HTTP-1: a request without Host is 400', async () => {
  const answer = await exchange(kernel.port, 'GET /things/a HTTP/1.1\r\n\r\n')
  assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*\{"error":"the request is not valid HTTP"\}$/)
})

test('HTTP-1: a body with two conflicting lengths is 400', async () => {
  const request =
    'POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
  assertRawError(await exchange(kernel.port, request), 'malformed_request')
})

test('HTTP-1: headers over 16 KiB are 431', async () => {
  const request = `GET /things/a HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`
  assertRawError(await exchange(kernel.port, request), 'headers_too_large')
})

test('HTTP-1: headers that do not arrive in time are 408; a connection without a request closes without an answer', async () => {
  assertRawError(await late('GET /things/a HTTP/1.1\r\nHo'), 'request_timeout')
  assert.equal(await late(''), '')
})

/** The output of a connection on which only this arrives within Node's timeout, which is a minute. */
async function late(bytes: string): Promise<string> {
  const { server } = kernel.app
  const accepted = once(server, 'connection')
  const client = openSocket(kernel.port)
  client.write(bytes)
  const [connection] = await accepted
  while (connection.bytesRead < bytes.length) await turn()
  server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), connection)
  return text(client)
}

function assertRawError(answer: string, code: ErrorCode): void {
  const [head = '', body] = answer.split('\r\n\r\n')
  assert.match(head, new RegExp(`^HTTP/1\\.1 ${errors[code].status} `))
  assert.match(head, new RegExp(`\r\nX-Error-Code: ${code}\r\n`))
  assert.match(head, /\r\nX-Request-Id: [0-9a-f-]{36}\r\n/)
  assert.equal(body, JSON.stringify({ error: errors[code].message }))
}

test('HTTP-2: every response has its own X-Request-Id', async () => {
  const ids = await Promise.all(
    ['/things/a', '/things/a', '/nothing', '/private', '/broken'].map(async (path) =>
      (await kernel.fetch(path)).headers.get('x-request-id'),
    ),
  )
  assert.ok(ids.every((id) => id !== null && id.length === 36))
  assert.equal(new Set(ids).size, ids.length)
})

test('HTTP-2: every response forbids sniffing and storing', async () => {
  for (const path of ['/things/a', '/nothing']) {
    const { headers } = await kernel.fetch(path)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cache-control'), 'no-store')
  }
})

test('HTTP-3: HEAD answers like GET, without the body', async () => {
  const found = await kernel.fetch('/things/a', { method: 'HEAD' })
  assert.deepEqual([found.status, found.headers.get('content-length')], [200, '11'])
  assert.equal(await found.text(), '')
  const missing = await kernel.fetch('/nothing', { method: 'HEAD' })
  assert.deepEqual([missing.status, missing.headers.get('x-error-code')], [404, 'not_found'])
  assert.equal(await missing.text(), '')
})

test('HTTP-12: an unexpected error is 500, reveals nothing, and is logged with the request id', async () => {
  const response = await kernel.fetch('/broken')
  const id = response.headers.get('x-request-id') ?? 'none'
  await assertError(response, 'internal')
  assert.ok(kernel.lines.some((line) => line.includes(id) && line.includes('hunter2')))
  await assertError(await kernel.fetch('/wild'), 'internal')
})

test('HTTP-12: an unavailable or slow database is 503', async () => {
  await assertError(await kernel.fetch('/lost'), 'unavailable')
  for (const code of SLOW) await assertError(await kernel.fetch(`/slow/${code}`), 'timeout')
})
