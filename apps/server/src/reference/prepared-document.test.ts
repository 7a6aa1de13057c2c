import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer({ rateLimits: true })
})
after(() => server.close())

/** Requests the document without decoding it. */
async function ask(headers: Record<string, string> = {}, path = '/api/docs/json') {
  const [response]: IncomingMessage[] = await once(get(`${server.url}${path}`, { headers }), 'response')
  assert.ok(response)
  return { response, body: await buffer(response) }
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync }

test('REF-3: the document is sent compressed if the client accepts it', async () => {
  const { response, body: plain } = await ask()
  assert.equal(response.headers['content-encoding'], undefined)
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  assert.equal(response.headers.vary, 'accept-encoding')
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip, br;q=0', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
  ] as const) {
    const { response, body } = await ask({ 'accept-encoding': accepted })
    assert.equal(response.headers['content-encoding'], encoding)
    assert.ok(body.length < plain.length / 5, `${body.length} of ${plain.length}`)
    assert.ok(decoders[encoding](body).equals(plain))
  }
  const { response: refusing } = await ask({ 'accept-encoding': 'br;q=0, gzip;q=0.000' })
  assert.equal(refusing.headers['content-encoding'], undefined)
})

test('REF-3: a client that has the document gets 304', async () => {
  const { etag = '', 'cache-control': caching } = (await ask()).response.headers
  assert.equal(caching, 'public, max-age=300')
  for (const [given, status] of [
    [etag, 304],
    [`"other", ${etag.replace('W/', '')}`, 304],
    ['*', 304],
    ['"other"', 200],
  ] as const) {
    const { response, body } = await ask({ 'if-none-match': given, 'accept-encoding': 'br' })
    assert.equal(response.statusCode, status)
    assert.equal(body.length === 0, status === 304)
    assert.equal(response.headers.etag, etag)
  }
})

test('REF-3: the YAML document has the same content', async () => {
  const { response, body } = await ask({}, '/api/docs/yaml')
  assert.equal(response.headers['content-type'], 'application/x-yaml')
  assert.equal(JSON.parse(String(body)).openapi, '3.1.0')
})

test('RATE-3: an address may ask for the document 60 times a minute', async () => {
  const statuses = new Set<number | undefined>()
  // More than two windows allow: a minute may end in between.
  for (let asked = 0; asked < 122; asked += 1) statuses.add((await ask()).response.statusCode)
  assert.deepEqual([...statuses].toSorted(), [200, 429])
})
