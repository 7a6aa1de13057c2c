import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import { type HttpTarget, startTarget } from '#test/outside/http-target.ts'
import { eventually } from '#test/outside/preview-server.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { deliver } from '#test/scenes/webhooks.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let server: TestServer
let target: HttpTarget
let answer: RequestListener
let person: Person
const video = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 251))

before(async () => {
  target = await startTarget((request, response) => answer(request, response))
  server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'] })
  person = await createPerson(server, 'viewer')
})
after(async () => {
  await server.close()
  await target.close()
})
beforeEach(() => {
  target.requests.length = 0
  answer = serveVideo
})

/** Serves a video as hosts do: whole, or the requested range. */
const serveVideo: RequestListener = ({ headers }, response) => {
  const fixed = { 'content-type': 'video/mp4', 'accept-ranges': 'bytes', etag: '"v1"', 'set-cookie': 'a=b' }
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (first === undefined)
    return response.writeHead(200, { ...fixed, 'content-length': video.length }).end(video)
  const [start, end] = [Number(first), last ? Number(last) : video.length - 1]
  if (start >= video.length)
    return response.writeHead(416, { 'content-range': `bytes */${video.length}` }).end()
  const place = `bytes ${start}-${end}/${video.length}`
  return response.writeHead(206, { ...fixed, 'content-range': place }).end(video.subarray(start, end + 1))
}

const at = (path: string) => `http://127.0.0.1:${target.port}${path}`
const signed = (url: string, now = Date.now()) => server.deps.downloads.proxyUrlOf(url, now)

async function codeOf(path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await server.fetch(path, { headers })
  await response.body?.cancel()
  return `${response.status} ${response.headers.get('x-error-code')}`
}

test('PROXY-1: the video of an embed has a URL that works without an account', async () => {
  const space = await makeSpace(person)
  const webhook = await person.client.webhooks.create(space.general, { name: 'Films' })
  await deliver(server, webhook, { embeds: [{ title: 'A film', video: { url: at('/film.mp4') } }] })
  const [message] = await person.client.messages.list(space.general)
  const shown = message?.embeds[0]?.video
  assert.equal(shown?.url, at('/film.mp4'))
  const response = await server.fetch(shown?.proxy_url ?? '')
  assert.equal(response.status, 200)
  assert.ok(Buffer.from(await response.arrayBuffer()).equals(video))
  const forwarded = await person.client.messages.create(space.lounge, {
    reference: { type: 1, message_id: message?.id ?? '', room_id: space.general },
  })
  assert.equal(await codeOf(forwarded.snapshot?.embeds[0]?.video?.proxy_url ?? ''), '200 null')
})

test('PROXY-1: another address, an altered signature and an expired one are 403', async () => {
  const path = signed(at('/film.mp4'))
  const query = new URLSearchParams(path.split('?')[1])
  const altered = (changes: Record<string, string | null>) => {
    const other = new URLSearchParams(query)
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) other.delete(name)
      else other.set(name, value)
    }
    return `/api/proxy/video?${other}`
  }
  const sig = query.get('sig') ?? ''
  const wrong = [
    altered({ url: at('/other.mp4') }),
    altered({ sig: `${sig.slice(0, -1)}${sig.endsWith('A') ? 'B' : 'A'}` }),
    altered({ sig: null }),
    altered({ exp: null }),
    altered({ exp: String(Number(query.get('exp')) + 1) }),
    altered({ sig: '', exp: '' }),
    signed(at('/film.mp4'), Date.now() - 2 * DAY_MS),
  ]
  for (const one of wrong) assert.equal(await codeOf(one), '403 invalid_signature', one)
  assert.equal(await codeOf(signed(at('/film.mp4'), Date.now() - DAY_MS + 60_000)), '200 null')
  assert.equal(target.requests.length, 1)
})

test('PROXY-2: signed-in users may load any address without a signature', async () => {
  const path = `/api/proxy/video?url=${encodeURIComponent(at('/film.mp4'))}`
  assert.equal(await codeOf(path), '401 authentication_required')
  assert.equal(await codeOf(path, { cookie: 'service_session_token=x' }), '401 authentication_required')
  assert.equal(target.requests.length, 0)
  const { tokens } = await signIn()
  assert.equal(
    await codeOf(path, { authorization: `Bearer ${tokens.access}` }),
    '401 authentication_required',
  )
  const whole = { authorization: `Bearer ${tokens.access}`, 'x-session-token': tokens.session }
  assert.equal(await codeOf(path, whole), '200 null')
  const malformed = ['http://[', 'http://a:99999/', 'http://256.256.256.256/', 'http://%/']
  const foreign = ['', 'none', 'ftp://example.org/a', 'file:///etc/passwd', `http://a/${'x'.repeat(2100)}`]
  for (const url of [...malformed, ...foreign])
    assert.equal(
      await codeOf(`/api/proxy/video?url=${encodeURIComponent(url)}`, whole),
      '400 invalid_request',
      url,
    )
})

async function signIn(): Promise<{ tokens: { access: string; session: string } }> {
  const response = await server.fetch('/api/auth/signin', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      username: 'watcher',
      email: 'watcher@example.org',
      password: 'correct horse battery',
    }),
  })
  const { access_token, session_token } = JSON.parse(await response.text())
  return { tokens: { access: access_token, session: session_token } }
}

test('PROXY-3: ranges are passed on, and so is the host’s answer', async () => {
  const ask = (range: string) => server.fetch(signed(at('/film.mp4')), { headers: { range } })
  const part = await ask('bytes=100-199')
  assert.deepEqual([part.status, part.headers.get('content-range')], [206, 'bytes 100-199/5000'])
  assert.ok(Buffer.from(await part.arrayBuffer()).equals(video.subarray(100, 200)))
  const past = await ask('bytes=9000-')
  assert.deepEqual(
    [past.status, past.headers.get('content-range'), past.headers.get('x-error-code')],
    [416, 'bytes */5000', 'range_not_satisfiable'],
  )
  for (const odd of ['bytes=0-1,5-6', 'lines=1-2', `bytes=${'9'.repeat(30)}-`, 'bytes=-'])
    assert.equal((await ask(odd)).status, 200, odd)
  assert.deepEqual(
    target.requests.map(({ headers }) => headers.range),
    ['bytes=100-199', 'bytes=9000-', undefined, undefined, undefined, undefined],
  )
  const head = await server.fetch(signed(at('/film.mp4')), { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '5000', ''])
  assert.equal(target.requests.at(-1)?.method, 'HEAD')
})

test('PROXY-4: a response that is not video or audio, or unavailable, is 502 and reveals nothing', async () => {
  const told = (status: number, headers: Record<string, string>): RequestListener => {
    return (_request, response) => response.writeHead(status, headers).end('secret of the host')
  }
  const bad: [string, RequestListener][] = [
    ['a page', told(200, { 'content-type': 'text/html' })],
    ['a picture', told(200, { 'content-type': 'image/png' })],
    ['nothing said', told(200, {})],
    ['two types', told(200, { 'content-type': 'video/mp4, text/html' })],
    ['encoded', told(200, { 'content-type': 'video/mp4', 'content-encoding': 'gzip' })],
    ['missing', told(404, { 'content-type': 'video/mp4' })],
    ['failing', told(500, { 'content-type': 'video/mp4' })],
    ['a part without its place', told(206, { 'content-type': 'video/mp4' })],
    ['several parts', told(206, { 'content-type': 'multipart/byteranges; boundary=x' })],
    ['inward', told(302, { location: 'http://10.0.0.1/' })],
    ['in circles', told(302, { location: '/again' })],
    ['too large', told(200, { 'content-type': 'video/mp4', 'content-length': `${2 ** 40}` })],
    ['gone', (request) => request.socket.destroy()],
  ]
  for (const [name, listener] of bad) {
    answer = listener
    const response = await server.fetch(signed(at('/film.mp4')))
    const body = await response.text()
    assert.deepEqual(
      [response.status, body],
      [502, '{"error":"no video or audio could be loaded from this address"}'],
      name,
    )
  }
  for (const url of [
    'http://10.0.0.1/a.mp4',
    'http://127.0.0.1:1/a.mp4',
    'http://[::ffff:169.254.169.254]/a.mp4',
  ])
    assert.equal(await codeOf(signed(url)), '502 media_unreachable', url)
})

test('PROXY-5: the content runs nothing, is not sniffed, and keeps few headers of its host', async () => {
  answer = (_request, response) =>
    response
      .writeHead(200, {
        'content-type': 'Audio/X-Strange; charset=evil',
        'content-security-policy': 'default-src *',
        'access-control-allow-origin': 'https://evil.example',
        'access-control-allow-credentials': 'true',
        'set-cookie': 'session=stolen',
        'x-error-code': 'none',
        etag: 'not quoted',
        'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT',
        'content-disposition': 'inline; filename=evil.html',
      })
      .end('sound')
  const response = await server.fetch(signed(at('/a%22b.html')))
  const told = Object.fromEntries(response.headers)
  const ofTheServer = ['x-request-id', 'access-control-expose-headers']
  for (const name of ['date', 'connection', 'keep-alive', 'transfer-encoding', ...ofTheServer])
    delete told[name]
  assert.deepEqual(told, {
    'access-control-allow-origin': '*',
    'cache-control': 'private, max-age=3600',
    'content-disposition': `attachment; filename="a_22b.html"; filename*=UTF-8''a%2522b.html`,
    'content-security-policy': "default-src 'none'; sandbox",
    'content-type': 'audio/x-strange',
    'cross-origin-resource-policy': 'cross-origin',
    'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  await response.body?.cancel()
})

/** Reads the beginning and then stops. */
async function readBeginning(path: string): Promise<IncomingMessage> {
  const [incoming]: [IncomingMessage] = await new Promise((resolve, reject) => {
    const request = get(`${server.url}${path}`, (...given) => resolve(given))
    request.on('error', reject)
  })
  await once(incoming, 'readable')
  return incoming
}

test('PROXY-6: the host is read at the client’s pace, and no further when the client disconnects', async () => {
  const host = Promise.withResolvers<ServerResponse>()
  answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' })
    const more = () => {
      while (response.write(Buffer.alloc(64 * 1024)));
      response.once('drain', more)
    }
    more()
    host.resolve(response)
  }
  const reader = await readBeginning(signed(at('/endless.mp4')))
  const response = await host.promise
  // Unlimited buffering would read everything: it must stop at what the buffers on the way hold.
  let before = -1
  while (response.socket !== null && response.socket.bytesWritten !== before) {
    before = response.socket.bytesWritten
    await server.fetch('/api/health')
    await server.fetch('/api/health')
  }
  assert.ok(before < 64 * 1024 * 1024, `${before}`)
  const closed = once(response, 'close')
  reader.destroy()
  await closed
})

test('PROXY-6: an aborted transfer aborts the response', async () => {
  answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 5000 })
    response.write(video.subarray(0, 1000), () => setImmediate(() => response.destroy()))
  }
  await assert.rejects(async () => (await server.fetch(signed(at('/film.mp4')))).arrayBuffer())
})

test('PROXY-7: an address may have 24 streams open, and make 300 requests a minute', async () => {
  answer = (_request, response) => response.writeHead(200, { 'content-type': 'video/mp4' }).write('beginning')
  const readers = await Promise.all(Array.from({ length: 24 }, () => readBeginning(signed(at('/long.mp4')))))
  assert.equal(await codeOf(signed(at('/long.mp4'))), '503 unavailable')
  const hosted = target.requests.length
  for (const reader of readers) reader.destroy()
  assert.equal(hosted, 24)
  answer = serveVideo
  await eventually(async () => ((await codeOf(signed(at('/x.mp4')))) === '200 null' ? true : undefined))
  const limited = await startTestServer({ rateLimits: true })
  const response = await limited.fetch('/api/proxy/video?url=http%3A%2F%2F10.0.0.1%2F')
  assert.deepEqual([response.status, response.headers.get('x-ratelimit-limit')], [401, '300'])
  await limited.close()
})
