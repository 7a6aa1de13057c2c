import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { checkPair } from '#src/kernel/tls/pair.ts'
import type { FileTls } from '#src/kernel/tls/settings.ts'
import { FRONT_HOST, freeFileTls, startFront, type TestFront } from '#test/tls/front.ts'
import { makeEndedPair, makePair, withoutOpenssl } from '#test/tls/openssl.ts'
import { examineHttps } from './https.ts'

suite('the doctor and HTTPS', { skip: withoutOpenssl }, () => {
  let server: TestFront
  let tls: FileTls
  before(async () => {
    server = await startFront(() => undefined)
    const { httpPort, place } = server
    tls = { ...(await freeFileTls()), httpsPort: place.port, httpPort }
  })
  after(() => server?.app.close())

  async function verdictsOf(settings: FileTls, isRunning = true) {
    return (await examineHttps(settings, isRunning)).map(
      ({ what, verdict, says }) => `${what} ${verdict}: ${says}`,
    )
  }

  test('HTTPS-11: the doctor reports the end of the certificate, and the redirect', async () => {
    const [certificate, http] = await verdictsOf(tls)
    // It ends in two days, and signed itself.
    assert.match(certificate ?? '', /^certificate note: for chat\.example\.org, valid until 2/)
    assert.equal(http, `http good: port ${server.httpPort} leads to https://chat.example.org`)
    assert.match((await verdictsOf({ ...tls, httpPort: 0 }))[1] ?? '', /^http note: HTTP_PORT is 0/)
    assert.deepEqual(await examineHttps(undefined, true), [])
  })

  test('HTTPS-11: the doctor names a certificate for another host, or one that has ended', async (t) => {
    t.after(async () => server.front.use(checkPair(await makePair(FRONT_HOST))))
    server.front.use(checkPair(await makePair('other.example.org')))
    assert.match((await verdictsOf(tls))[0] ?? '', /^certificate bad: it is not valid for chat\.example\.org/)
    server.front.use(checkPair(await makeEndedPair(FRONT_HOST)))
    assert.match((await verdictsOf(tls))[0] ?? '', /^certificate bad: its time is .+ to /)
  })

  test('HTTPS-11: the doctor names a port that is not open, or does not redirect', async () => {
    const [certificate, http] = await verdictsOf(await freeFileTls())
    assert.match(certificate ?? '', /^certificate bad: .*ECONNREFUSED/)
    assert.match(http ?? '', /^http bad: /)
    const elsewhere = await verdictsOf({ ...tls, httpPort: server.port })
    assert.match(elsewhere[1] ?? '', /^http bad: port \d+ answers 404/)
  })

  test('HTTPS-11: before the start, the doctor reads the files', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'foyer-doctor-'))
    t.after(() => rm(folder, { recursive: true }))
    const files = { ...tls, certificate: join(folder, 'chain.pem'), key: join(folder, 'key.pem') }
    assert.match(
      (await verdictsOf(files, false))[0] ?? '',
      /^certificate bad: TLS_CERT \(.+\) cannot be read/,
    )
    const pair = await makePair(FRONT_HOST)
    await writeFile(files.certificate, pair.chain)
    await writeFile(files.key, pair.key)
    assert.match((await verdictsOf(files, false))[0] ?? '', /^certificate note: for chat\.example\.org/)
  })
})
