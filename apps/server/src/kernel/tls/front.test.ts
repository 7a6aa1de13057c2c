import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, suite, test } from 'node:test'
import { openSocket, readUntil, startKernel } from '#test/kernel.ts'
import { freeFileTls, startFront, type TestFront } from '#test/tls/front.ts'
import { makeEndedPair, makePair, withoutOpenssl } from '#test/tls/openssl.ts'
import { askPlainly, askSecurely, certificateOf, openSecure } from '#test/tls/secure-client.ts'
import type { App } from '../http/types.ts'
import { Front } from './front.ts'
import { checkPair } from './pair.ts'

const REQUEST = 'GET /here HTTP/1.1\r\nHost: a\r\n\r\n'

function addRoutes(app: App): void {
  const config = { access: 'public' } as const
  app.get('/here', { config }, async (request) => `${request.protocol} ${request.ip}`)
  app.post('/here', { config }, async ({ raw }) => `${(await text(raw)).length} characters`)
}

suite('HTTPS', { skip: withoutOpenssl }, () => {
  let server: TestFront
  before(async () => {
    server = await startFront(addRoutes)
  })
  after(() => server.app.close())

  test('HTTPS-2: the app answers by TLS 1.2 and 1.3, and asks browsers to come by HTTPS from then on', async () => {
    const answer = await askSecurely(server.place, '/here')
    assert.deepEqual([answer.status, answer.text], [200, 'https 127.0.0.1'])
    assert.equal(answer.headers['strict-transport-security'], 'max-age=31536000')
    assert.equal((await server.fetch('/here')).headers.get('strict-transport-security'), null)
    for (const [limits, version] of [
      [{ maxVersion: 'TLSv1.2' }, 'TLSv1.2'],
      [{ minVersion: 'TLSv1.3' }, 'TLSv1.3'],
    ] as const) {
      const socket = await openSecure(server.place, limits)
      assert.equal(socket.getProtocol(), version)
      socket.destroy()
    }
    await assert.rejects(openSecure(server.place, { maxVersion: 'TLSv1.1' }), /protocol version/)
  })

  test('HTTPS-2: bytes that are no TLS end the connection, and nothing else', async () => {
    for (const bytes of ['GET / HTTP/1.1\r\nHost: a\r\n\r\n', '\x16\x03\x01\x00\x05hello', '\0']) {
      const socket = openSocket(server.place.port)
      socket.on('error', () => undefined).end(bytes)
      await once(socket.resume(), 'close')
    }
    assert.equal((await askSecurely(server.place, '/here')).status, 200)
  })

  test('HTTPS-2: a request that is no HTTP gets an answer', async () => {
    const socket = await openSecure(server.place)
    socket.write('nonsense\r\n\r\n')
    assert.match(await readUntil(socket, /\}$/), /^HTTP\/1\.1 400 /)
  })

  test('HTTPS-2: a long body arrives, after a client was asked for it', async () => {
    const socket = await openSecure(server.place)
    const length = 1_000_000
    socket.write(
      `POST /here HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`,
    )
    assert.match(await readUntil(socket, /\r\n\r\n$/), /^HTTP\/1\.1 (100|200) /)
    socket.write('x'.repeat(length))
    assert.match(await readUntil(socket, /characters$/), /1000000 characters$/)
    socket.destroy()
  })

  test('HTTPS-2: a ClientHello in small pieces is understood', async () => {
    const relay = createServer((from) => {
      const to = connect(server.place.port, '127.0.0.1').setNoDelay()
      from.on('data', (bytes) => {
        for (const byte of Buffer.from(bytes)) to.write(Buffer.from([byte]))
      })
      to.pipe(from)
      // The server may end the connection while bytes for it arrive.
      to.on('error', () => undefined)
      from.on('close', () => to.destroy()).on('error', () => undefined)
    })
    relay.listen(0, '127.0.0.1')
    await once(relay, 'listening')
    const address = relay.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    assert.equal((await askSecurely({ ...server.place, port }, '/here')).status, 200)
    relay.close()
  })

  test('HTTPS-3: HTTP leads to the same path at PUBLIC_URL, whatever host was asked', async () => {
    const headers = { host: 'evil.example' }
    for (const [method, status] of [
      ['GET', 301],
      ['HEAD', 301],
      ['POST', 308],
      ['DELETE', 308],
    ] as const) {
      const answer = await askPlainly(server.httpPort, '/here?a=b', { method, headers })
      assert.deepEqual(
        [answer.status, answer.headers.location],
        [status, 'https://chat.example.org/here?a=b'],
        method,
      )
      assert.equal(answer.headers['strict-transport-security'], undefined)
    }
    const other = await askPlainly(server.httpPort, '//evil.example/', { headers })
    assert.equal(other.headers.location, 'https://chat.example.org//evil.example/')
  })

  test('HTTPS-3: an offered WebSocket, an absolute address and an expectation are redirected, too', async () => {
    const upgrade = { connection: 'upgrade', upgrade: 'websocket' }
    const socket = await askPlainly(server.httpPort, '/gateway', { headers: upgrade })
    const absolute = await askPlainly(server.httpPort, 'http://evil.example/here')
    const expecting = await askPlainly(server.httpPort, '/here', { headers: { expect: '100-continue' } })
    assert.deepEqual(
      [socket, absolute, expecting].map(({ status, headers }) => [status, headers.location]),
      ['/gateway', '/', '/here'].map((path) => [301, `https://chat.example.org${path}`]),
    )
  })
})

suite('HTTPS without a certificate', { skip: withoutOpenssl }, () => {
  test('HTTPS-8: as long as there is no certificate, HTTP is answered without TLS, and not once one has ended', async () => {
    const kernel = await startKernel(addRoutes)
    try {
      const settings = await freeFileTls()
      const front = await Front.open({ ...kernel, settings, log: kernel.app.log, challenges: undefined })
      assert.equal((await askPlainly(settings.httpPort, '/here')).text, 'http 127.0.0.1')
      front.use(checkPair(await makeEndedPair('chat.example.org')))
      assert.equal((await askPlainly(settings.httpPort, '/here')).status, 301)
      front.use(checkPair(await makePair('chat.example.org')))
      assert.equal((await askPlainly(settings.httpPort, '/here')).status, 301)
    } finally {
      await kernel.app.close()
    }
  })

  test('HTTPS-2: PORT keeps its connections until a guess has its certificate', async () => {
    const kernel = await startKernel(addRoutes)
    try {
      const all = kernel.app.server.maxConnections
      const { httpsPort, httpPort, host, origin, listenHost } = await freeFileTls()
      const place = { httpsPort, httpPort, host, origin, listenHost }
      const acme = { kind: 'acme', directory: '', email: undefined, isGuess: true } as const
      const settings = { ...place, ...acme }
      const front = await Front.open({ ...kernel, settings, log: kernel.app.log, challenges: undefined })
      assert.equal(kernel.app.server.maxConnections, all * 0.9)
      front.use(checkPair(await makePair('chat.example.org')))
      assert.equal(kernel.app.server.maxConnections, all * 0.1)
    } finally {
      await kernel.app.close()
    }
  })
})

suite('limits of HTTPS', { skip: withoutOpenssl }, () => {
  test('HTTPS-2: connections of an address are counted over all ports', async () => {
    const bounds = { isExempt: () => false, maxOfOne: 2 }
    const server = await startFront(addRoutes, { connectionBounds: bounds })
    try {
      const [first, second] = [await openSecure(server.place), openSocket(server.httpPort)]
      await once(second, 'connect')
      await assert.rejects(openSecure(server.place))
      const third = openSocket(server.httpPort)
      await once(third.resume(), 'close')
      second.destroy()
      first.write(REQUEST)
      await readUntil(first, /127\.0\.0\.1$/)
    } finally {
      await server.app.close()
    }
  })

  test('HTTPS-2: a connection without a handshake or a request ends within 15 s', {
    timeout: 40_000,
  }, async () => {
    const server = await startFront(addRoutes)
    try {
      const silent = openSocket(server.place.port)
      const half = openSocket(server.place.port)
      half.write('\x16\x03\x01\x02\x00half')
      const secure = await openSecure(server.place)
      secure.write('GET /here HTTP/1.1\r\n')
      await Promise.all([silent, half, secure].map((socket) => once(socket.resume(), 'close')))
    } finally {
      await server.app.close()
    }
  })

  test('HTTPS-2: stopping lets running requests finish, and waits for nothing else', {
    timeout: 8_000,
  }, async (context) => {
    const [entered, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const server = await startFront((app) => {
      addRoutes(app)
      app.get('/slow', { config: { access: 'public' } }, async () => {
        entered.resolve()
        await released.promise
        return { ok: true }
      })
    })
    const idle = await openSecure(server.place)
    idle.write(REQUEST)
    await readUntil(idle, /127\.0\.0\.1$/)
    const [unused, silent, plain] = [
      await openSecure(server.place),
      openSocket(server.place.port),
      openSocket(server.httpPort),
    ]
    await Promise.all([once(silent, 'connect'), once(plain, 'connect')])
    const running = await openSecure(server.place)
    running.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
    await entered.promise

    // Prevents any cut by a timeout.
    context.mock.timers.enable({ apis: ['setTimeout'] })
    const closed = server.app.close()
    while (!server.app.lifecycle.draining) await new Promise((resolve) => setImmediate(resolve))
    await assert.rejects(openSecure(server.place))
    released.resolve()
    assert.match(await readUntil(running, /\}$/), /^HTTP\/1\.1 200 OK/)
    await closed
    for (const socket of [idle, unused, silent, plain, running])
      if (!socket.closed) await once(socket.resume(), 'close')
  })
})

suite('certificates of HTTPS', { skip: withoutOpenssl }, () => {
  test('HTTPS-6: another certificate is for new connections, and open ones go on', async () => {
    const server = await startFront(addRoutes)
    try {
      const open = await openSecure(server.place)
      const other = await makePair('chat.example.org')
      const before = await certificateOf(server.place)
      server.front.use(checkPair(other))
      const now = await certificateOf({ ...server.place, ca: other.chain })
      assert.notEqual(now.fingerprint256, before.fingerprint256)
      open.write(REQUEST)
      assert.match(await readUntil(open, /127\.0\.0\.1$/), /^HTTP\/1\.1 200 OK/)
    } finally {
      await server.app.close()
    }
  })

  test('HTTPS-10: a port that is in use is named, with what to do', async () => {
    const server = await startFront(addRoutes)
    try {
      const settings = { ...(await freeFileTls()), httpsPort: server.place.port }
      const log = server.app.log
      await assert.rejects(
        Front.open({ app: server.app, settings, log, challenges: undefined }),
        /^Error: port \d+ \(HTTPS_PORT\) cannot be opened: another program uses it\. If that is a proxy .+ set TLS=off/,
      )
      const withoutHttp = { ...(await freeFileTls()), httpPort: server.httpPort }
      const other = await Front.open({ app: server.app, settings: withoutHttp, log, challenges: undefined })
      assert.equal(other.hasHttp, false)
      assert.match(server.lines.join(''), /port \d+ \(HTTP_PORT\) cannot be opened: another program uses it/)
    } finally {
      await server.app.close()
    }
  })
})
