import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { cloneDatabase, urlOf } from '#test/database.ts'
import { runProgram, startProgram } from '#test/processes/program.ts'
import { FRONT_HOST, startFront, type TestFront } from '#test/tls/front.ts'
import { makeEndedPair, makePair, withoutOpenssl } from '#test/tls/openssl.ts'
import { askSecurely, certificateOf } from '#test/tls/secure-client.ts'
import { until } from '#test/until.ts'
import { freePort } from '#test/valkey/valkey.ts'
import { createLog } from '../log.ts'
import { CertificateFiles } from './certificate-files.ts'
import type { CertificatePair } from './pair.ts'

suite('certificates of the operator', { skip: withoutOpenssl, timeout: 120_000 }, () => {
  let folder: string
  let server: TestFront
  let [certificate, key] = ['', '']
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'foyer-files-'))
    certificate = join(folder, 'chain.pem')
    key = join(folder, 'key.pem')
    server = await startFront((app) => {
      app.get('/here', { config: { access: 'public' } }, async () => 'here')
    })
  })
  after(async () => {
    await server?.app.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function write({ chain, key: text }: CertificatePair): Promise<void> {
    await writeFile(certificate, chain)
    await writeFile(key, text)
  }

  function open(host = FRONT_HOST) {
    const lines: string[] = []
    const log = createLog('info', { write: (line) => lines.push(line) })
    const place = { origin: `https://${host}`, httpsPort: 1, httpPort: 0, listenHost: undefined }
    const files = new CertificateFiles({ settings: { kind: 'files', host, ...place, certificate, key }, log })
    return { files, text: () => lines.join(''), [Symbol.dispose]: () => files.close() }
  }

  test('HTTPS-9: a certificate is read again when its files change, and kept while they are of no use', async () => {
    const [first, second] = [await makePair(FRONT_HOST), await makePair(FRONT_HOST)]
    await write(first)
    using opened = open()
    await opened.files.start(server.front)
    const place = { ...server.place, ca: `${first.chain}\n${second.chain}` }
    const before = await certificateOf(place)
    await write({ chain: second.chain, key: first.key })
    await opened.files.reload(server.front)
    await opened.files.reload(server.front)
    assert.equal(opened.text().split('does not belong to').length, 2, 'it is said once')
    assert.match(
      opened.text(),
      /TLS_CERT \(.+chain\.pem\) does not belong to TLS_KEY \(.+\): the former certificate stays/,
    )
    assert.equal((await certificateOf(place)).fingerprint256, before.fingerprint256)
    await write(second)
    await opened.files.reload(server.front)
    assert.notEqual((await certificateOf(place)).fingerprint256, before.fingerprint256)
  })

  test('HTTPS-9: a certificate that has ended, or is for another host, is said at the start', async () => {
    await write(await makeEndedPair('other.example.org'))
    using opened = open()
    await opened.files.start(server.front)
    assert.match(opened.text(), /TLS_CERT \(.+\) is not valid now, only from 2.+ to 2.+: browsers refuse it/)
    assert.match(opened.text(), /TLS_CERT \(.+\) is not valid for chat\.example\.org, the host of PUBLIC_URL/)
  })

  const wrong: readonly (readonly [
    string,
    (good: CertificatePair, other: CertificatePair) => CertificatePair,
    RegExp,
  ])[] = [
    [
      'a key of another one',
      (good, other) => ({ ...good, key: other.key }),
      /TLS_CERT \(.+\) does not belong to TLS_KEY/,
    ],
    ['no certificate', (good) => ({ ...good, chain: good.key }), /TLS_CERT \(.+\) is no certificate in PEM/],
    ['an empty file', (good) => ({ ...good, chain: '' }), /TLS_CERT \(.+\) is no certificate in PEM/],
    ['no key', (good) => ({ ...good, key: good.chain }), /TLS_KEY \(.+\) is no private key in PEM/],
    [
      'a key with a passphrase',
      (good) => ({ ...good, key: good.key.replaceAll('PRIVATE KEY', 'ENCRYPTED PRIVATE KEY') }),
      /TLS_KEY \(.+\) is encrypted: save it without a passphrase/,
    ],
  ]
  for (const [what, spoil, message] of wrong)
    test(`HTTPS-9: ${what} is refused`, async () => {
      await write(spoil(await makePair(FRONT_HOST), await makePair(FRONT_HOST)))
      using opened = open()
      await assert.rejects(opened.files.start(server.front), message)
    })

  test('HTTPS-9: a file that is not there ends the start with its name', async () => {
    const settings = { PUBLIC_URL: 'https://chat.example.org', TLS_CERT: '/nowhere/chain.pem', TLS_KEY: key }
    const { code, text } = await runProgram({ ...settings, DATA_DIR: folder })
    assert.equal(code, 1)
    assert.match(text, /^Foyer could not start: TLS_CERT \(\/nowhere\/chain\.pem\) cannot be read: ENOENT/)
  })

  test('HTTPS-9: SIGHUP reads the files at once, and SIGTERM ends the server as ever', async () => {
    const [first, second] = [await makePair(FRONT_HOST), await makePair(FRONT_HOST)]
    await write(first)
    const database = await cloneDatabase()
    const [httpsPort, httpPort] = await Promise.all([freePort(), freePort()])
    const program = await startProgram({
      ...{ PUBLIC_URL: `https://${FRONT_HOST}`, TLS_CERT: certificate, TLS_KEY: key, HOST: '127.0.0.1' },
      ...{ HTTPS_PORT: `${httpsPort}`, HTTP_PORT: `${httpPort}` },
      ...{ DATA_DIR: join(folder, 'data'), DATABASE_URL: urlOf(database) },
    })
    try {
      const place = { port: httpsPort, host: FRONT_HOST, ca: `${first.chain}\n${second.chain}` }
      assert.equal((await askSecurely(place, '/api/health')).status, 200)
      const before = await certificateOf(place)
      await write(second)
      program.signal('SIGHUP')
      await until(
        async () => (await certificateOf(place)).fingerprint256 !== before.fingerprint256,
        'it is used',
      )
      assert.equal(await program.stop(), 0)
    } finally {
      await program.kill()
      await database.drop()
    }
  })
})
