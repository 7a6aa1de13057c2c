import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { after, before, suite, test } from 'node:test'
import { WebSocket } from 'ws'
import { sql } from '#src/kernel/sql/sql.ts'
import { cloneDatabase, urlOf } from '#test/database.ts'
import { runProgram } from '#test/processes/program.ts'
import { type AcmeServer, acmeTlsAt, startAcmeServer } from '#test/tls/acme-server.ts'
import { type Pebble, startPebble, withoutPebble } from '#test/tls/pebble.ts'
import { askPlainly, askSecurely, certificateOf, openSecure } from '#test/tls/secure-client.ts'
import { until } from '#test/until.ts'
import { freePort } from '#test/valkey/valkey.ts'

const GOT_ONE = 'HTTPS has a certificate for chat.example.org, valid until'
const DAY_MS = 24 * 60 * 60 * 1000

suite('certificates by ACME', { skip: withoutPebble, timeout: 120_000 }, () => {
  let pebble: Pebble
  before(async () => {
    // A tenth of the good nonces is refused, and half of the proofs are asked for again.
    pebble = await startPebble({ PEBBLE_WFE_NONCEREJECT: '10', PEBBLE_AUTHZREUSE: '50' })
  })
  after(() => pebble?.close())

  test('HTTPS-4: the server gets a certificate by itself, and leads everybody to HTTPS', async (t) => {
    const server = await startAcmeServer(acmeTlsAt(pebble), pebble.root)
    t.after(() => server.close())
    await server.logged(GOT_ONE)
    const health = await askSecurely(server.place, '/api/health')
    assert.equal(health.status, 200)
    assert.match((await certificateOf(server.place)).subjectaltname ?? '', /^DNS:chat\.example\.org$/)
    const redirect = await askPlainly(pebble.httpPort, '/api/health')
    assert.deepEqual(
      [redirect.status, redirect.headers.location],
      [301, `${server.deps.config.publicUrl}/api/health`],
    )
    // PORT stays as it was, for this machine.
    assert.equal((await server.fetch('/api/health')).status, 200)
    await assertSealed(server)
    assert.deepEqual(await server.deps.database.query(sql`select token from acme_challenges`), [])
  })

  test('HTTPS-6: a renewal drops neither a WebSocket nor a download', async (t) => {
    const server = await startAcmeServer(acmeTlsAt(pebble), pebble.root)
    t.after(() => server.close())
    await server.logged(GOT_ONE)
    const before = await certificateOf(server.place)
    const row = await server.row()
    const days = (Date.parse(before.valid_to) - Date.parse(row?.renew_at ?? '')) / DAY_MS
    assert.ok(Math.abs(days - 30) < 0.01, `it is renewed 30 days before its end, not ${days}`)

    const download = await openSecure(server.place)
    download.write(`GET /api/docs/json HTTP/1.1\r\nHost: ${server.place.host}\r\nConnection: close\r\n\r\n`)
    const socket = await openWebSocket(server)
    await server.deps.database.execute(sql`update certificates set renew_at = now()`)
    await server.reloadCertificate()
    const now = await certificateOf(server.place)
    assert.notEqual(now.serialNumber, before.serialNumber)
    const [head = '', body = ''] = (await text(download)).split('\r\n\r\n')
    assert.match(head, /^HTTP\/1\.1 200 OK/)
    assert.match(JSON.parse(body).openapi, /^3\./)
    const heard = once(socket, 'message')
    socket.send(JSON.stringify({ op: 1, d: null }))
    assert.match(String((await heard)[0]), /"op":11/)
    socket.terminate()

    await server.reloadCertificate()
    assert.equal((await certificateOf(server.place)).serialNumber, now.serialNumber, 'it is not due again')
  })

  test('HTTPS-4, HTTPS-6: an account without a mail address is used again', async (t) => {
    const server = await startAcmeServer(acmeTlsAt(pebble, { email: undefined }), pebble.root)
    t.after(() => server.close())
    await server.logged(GOT_ONE)
    const before = await certificateOf(server.place)
    await server.deps.database.execute(sql`update certificates set renew_at = now()`)
    await server.reloadCertificate()
    assert.notEqual((await certificateOf(server.place)).serialNumber, before.serialNumber)
  })

  test('HTTPS-5: without HTTP_PORT the host is proved by TLS, also when there is a certificate', async (t) => {
    const server = await startAcmeServer(acmeTlsAt(pebble, { httpPort: 0 }), pebble.root)
    t.after(() => server.close())
    await server.logged(GOT_ONE)
    const before = await certificateOf(server.place)
    await server.deps.database.execute(sql`update certificates set renew_at = now()`)
    await server.reloadCertificate()
    assert.notEqual((await certificateOf(server.place)).serialNumber, before.serialNumber)
  })

  test('HTTPS-5: if HTTP does not get through, the host is proved by TLS', async (t) => {
    // As behind a firewall: it listens, and pebble asks elsewhere.
    const server = await startAcmeServer(acmeTlsAt(pebble, { httpPort: await freePort() }), pebble.root)
    t.after(() => server.close())
    await server.logged(GOT_ONE)
    assert.equal((await server.row())?.failures, 0)
  })

  test('HTTPS-8: a server that is refused a certificate runs, says why and when it tries again, and does', async (t) => {
    const host = 'blocked.example.org'
    const tls = acmeTlsAt(pebble, { host, origin: `https://${host}` })
    const server = await startAcmeServer(tls, pebble.root)
    t.after(() => server.close())
    await server.logged(
      /no certificate from https:.+blocked\.example\.org.+ The next attempt is at 2\d{3}-.+ until there is one, HTTP is not encrypted/,
    )
    assert.equal((await askPlainly(pebble.httpPort, '/api/health')).status, 200)
    await assert.rejects(askSecurely(server.place, '/api/health'))
    assert.equal((await server.row())?.failures, 1)
    await server.reloadCertificate()
    assert.equal((await server.row())?.failures, 1, 'it waits')
    await server.deps.database.execute(sql`update certificates set tried_at = now() - interval '61 seconds'`)
    await server.reloadCertificate()
    assert.equal((await server.row())?.failures, 2)
  })

  test('HTTPS-8: an ACME server that hangs for a while delays the certificate, and nothing else', async (t) => {
    pebble.pause()
    t.after(() => pebble.goOn())
    const server = await startAcmeServer(acmeTlsAt(pebble), pebble.root)
    t.after(() => server.close())
    await server.logged('is requested from')
    assert.equal((await askPlainly(pebble.httpPort, '/api/health')).status, 200)
    pebble.goOn()
    await server.logged(GOT_ONE)
  })

  test('HTTPS-8: if the renewal fails, the present certificate stays in use', async (t) => {
    const server = await startAcmeServer(acmeTlsAt(pebble), pebble.root)
    t.after(() => server.close())
    await server.logged(GOT_ONE)
    const before = await certificateOf(server.place)
    const gone = `https://127.0.0.1:${await freePort()}/dir`
    await server.deps.database.execute(sql`update certificates set renew_at = now()`)
    Object.assign(server.deps.config.tls ?? {}, { directory: gone })
    await server.reloadCertificate()
    await server.logged(/no certificate from .+ECONNREFUSED.+ the present certificate stays in use/)
    assert.equal((await certificateOf(server.place)).serialNumber, before.serialNumber)
    assert.equal((await askPlainly(pebble.httpPort, '/api/health')).status, 301)
  })

  test('HTTPS-8: a server that is asked too often is left alone until the next attempt', async (t) => {
    let asked = 0
    const busy = createHttpServer((_request, response) => {
      asked += 1
      response.writeHead(429, { 'content-type': 'application/problem+json', 'retry-after': '3600' })
      response.end('{"type":"urn:ietf:params:acme:error:rateLimited","detail":"too many orders"}')
    })
    const directory = `http://127.0.0.1:${await portOf(busy)}/dir`
    t.after(() => busy.close())
    const server = await startAcmeServer(acmeTlsAt(pebble, { directory }), pebble.root)
    t.after(() => server.close())
    await server.logged(/no certificate from http:.+429.+ The next attempt is at 2/)
    await server.reloadCertificate()
    assert.equal(asked, 1)
  })

  test('HTTPS-8: settings that only suggest HTTPS open nothing to strangers before there is a certificate', async (t) => {
    const directory = `https://127.0.0.1:${await freePort()}/dir`
    const server = await startAcmeServer(acmeTlsAt(pebble, { directory, isGuess: true }), pebble.root)
    t.after(() => server.close())
    await server.logged(/no certificate from .+ Foyer answers on PORT alone\. Behind a proxy, set TLS=off/)
    const refused = await askPlainly(pebble.httpPort, '/api/health')
    assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '60'])
    const upgrade = { connection: 'upgrade', upgrade: 'websocket' }
    assert.equal((await askPlainly(pebble.httpPort, '/gateway', { headers: upgrade })).status, 503)
    assert.equal((await server.fetch('/api/health')).status, 200)
  })

  test('HTTPS-10: settings that only suggest HTTPS do not stop a server whose port belongs to a proxy', async (t) => {
    const proxy = createServer()
    const httpsPort = await portOf(proxy)
    t.after(() => proxy.close())
    const tls = acmeTlsAt(pebble, { httpsPort, isGuess: true })
    const server = await startAcmeServer(tls, pebble.root)
    t.after(() => server.close())
    assert.equal((await server.fetch('/api/health')).status, 200)
    await server.logged(
      /no HTTPS for https:.+another program uses it.+ set TLS=off.+ Foyer listens on PORT alone/,
    )
    assert.equal(await server.row(), undefined)
  })

  test('HTTPS-10: with TLS=acme, a port that is in use ends the start', async (t) => {
    const proxy = createServer()
    const httpsPort = await portOf(proxy)
    t.after(() => proxy.close())
    const database = await cloneDatabase()
    t.after(() => database.drop())
    const ports = { HTTPS_PORT: `${httpsPort}`, HTTP_PORT: '0', HOST: '127.0.0.1' }
    const settings = {
      PUBLIC_URL: 'https://chat.example.org',
      TLS: 'acme',
      ACME_DIRECTORY: pebble.directory,
      ...ports,
    }
    const { code, text } = await runProgram({
      ...settings,
      DATABASE_URL: urlOf(database),
      DATA_DIR: tmpdir(),
    })
    assert.equal(code, 1)
    assert.match(
      text,
      /Foyer could not start: port \d+ \(HTTPS_PORT\) cannot be opened: another program uses it/,
    )
  })

  test('HTTPS-12: an order that gets no answer does not keep the server from ending', {
    timeout: 20_000,
  }, async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined))
    const port = await portOf(silent)
    const asked = once(silent, 'connection')
    const directory = `http://127.0.0.1:${port}/dir`
    const server = await startAcmeServer(acmeTlsAt(pebble, { directory }), pebble.root)
    const [connection] = await asked
    assert.equal((await server.fetch('/api/health')).status, 200)
    const ended = once(connection.resume(), 'close')
    await server.close()
    await ended
    silent.close()
    assert.ok(!server.lines.some((line) => line.includes('no certificate from')), 'that is no failure')
  })
})

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The private key is not readable without SECRET_KEY, and the account's key neither. */
async function assertSealed({ deps, row }: AcmeServer): Promise<void> {
  const stored = (await row())?.private_key
  const [account] = await deps.database.query<{ private_key: Buffer }>(
    sql`select private_key from acme_accounts`,
  )
  for (const sealed of [stored, account?.private_key]) {
    assert.ok(sealed)
    assert.ok(!sealed.includes('PRIVATE KEY'))
  }
}

async function openWebSocket({ place }: AcmeServer): Promise<WebSocket> {
  const { port, host: servername, ca } = place
  const socket = new WebSocket(`wss://127.0.0.1:${port}/gateway?v=1`, [], {
    ...{ servername, ca, headers: { host: servername } },
  })
  const [hello] = await once(socket, 'message')
  assert.match(String(hello), /"op":10/)
  await until(async () => socket.readyState === WebSocket.OPEN, 'it is open')
  return socket
}
