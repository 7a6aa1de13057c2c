import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { startProcesses } from '#test/processes/processes.ts'
import type { TestServer } from '#test/server.ts'
import { ACME_HOST, acmeTlsAt } from '#test/tls/acme-server.ts'
import { startPebble, withoutPebble } from '#test/tls/pebble.ts'
import { askPlainly, certificateOf } from '#test/tls/secure-client.ts'
import { freePort, withoutValkey } from '#test/valkey/valkey.ts'
import { takeLease } from './queries.ts'

/**
 * Starts two processes without a certificate: the one that asks for it, and the one that pebble finds.
 * @param hasHttp false to prove the host by TLS
 */
async function startTwo(context: TestContext, hasHttp: boolean) {
  const opened = new AsyncDisposableStack()
  context.after(() => opened.disposeAsync())
  const pebble = await startPebble({ PEBBLE_WFE_NONCEREJECT: '0', PEBBLE_AUTHZREUSE: '0' })
  opened.defer(() => pebble.close())
  const [httpsPort, otherPort] = await Promise.all([freePort(), freePort()])
  const httpPort = hasHttp ? otherPort : 0
  const found = acmeTlsAt(pebble, hasHttp ? {} : { httpPort: 0 })
  const asking = acmeTlsAt(pebble, { httpsPort, httpPort })
  const { origin: publicUrl } = found
  const processes = await startProcesses([{}, {}])
  opened.defer(() => processes.close())
  const lease = { host: ACME_HOST, seen: null, seconds: 3600 }
  // Neither asks at its start.
  assert.ok(await takeLease(processes.servers[0].deps.database, lease))
  const servers = {
    asking: await processes.start({ publicUrl, tls: asking }),
    found: await processes.start({ publicUrl, tls: found }),
  }
  await servers.asking.deps.database.execute(sql`update certificates set leased_until = null`)
  const placeOf = (port: number) => ({ port, host: ACME_HOST, ca: pebble.root })
  return { ...servers, pebble, askingPlace: placeOf(httpsPort), foundPlace: placeOf(pebble.httpsPort) }
}

/** The processes of a test share their log. */
function countOrders(context: TestContext, server: TestServer): () => number {
  const { mock } = context.mock.method(server.deps.log, 'info')
  return () => mock.calls.filter((call) => /is requested from/.test(String(call.arguments[0]))).length
}

suite('certificates of several processes', { skip: withoutPebble || withoutValkey, timeout: 120_000 }, () => {
  for (const [way, hasHttp] of [
    ['HTTP', true],
    ['TLS', false],
  ] as const)
    test(`HTTPS-7: the ACME server may ask any process by ${way}, and all of them use the certificate`, async (t) => {
      const { asking, found, askingPlace, foundPlace } = await startTwo(t, hasHttp)
      await asking.reloadCertificate()
      const certificate = await certificateOf(askingPlace)
      await assert.rejects(certificateOf(foundPlace))
      await found.reloadCertificate()
      assert.equal((await certificateOf(foundPlace)).serialNumber, certificate.serialNumber)
    })

  test('HTTPS-7: of processes that look at once, one asks', async (t) => {
    const { asking, found } = await startTwo(t, true)
    await asking.reloadCertificate()
    await found.reloadCertificate()
    const orders = countOrders(t, asking)
    await asking.deps.database.execute(sql`update certificates set renew_at = now()`)
    await Promise.all([asking, found, asking, found].map((server) => server.reloadCertificate()))
    assert.equal(orders(), 1)
    await Promise.all([asking, found].map((server) => server.reloadCertificate()))
    assert.equal(orders(), 1)
  })

  test('HTTPS-8: of processes that were restarted, one tries again before the pause is over', async (t) => {
    const { asking, found } = await startTwo(t, true)
    const directory = `https://127.0.0.1:${await freePort()}/dir`
    for (const { deps } of [asking, found]) Object.assign(deps.config.tls ?? {}, { directory })
    await asking.deps.database.execute(sql`update certificates set failures = 6`)
    const orders = countOrders(t, asking)
    for (const server of [asking, found]) await server.reloadCertificate()
    assert.equal(orders(), 0)
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 26 * 60_000 })
    for (const server of [asking, found, asking]) await server.reloadCertificate()
    assert.equal(orders(), 1)
    const rows = await asking.deps.database.query(sql`select failures from certificates`)
    assert.deepEqual(rows, [{ failures: 7 }])
  })

  test('HTTPS-4: a stored certificate that cannot be opened is replaced, and so is the key of the account', async (t) => {
    const { asking, found, foundPlace, askingPlace } = await startTwo(t, false)
    await asking.reloadCertificate()
    const before = await certificateOf(askingPlace)
    const { database } = asking.deps
    // As under another SECRET_KEY.
    await database.execute(
      sql`update certificates set private_key = 'sealed by another key, and so of no use'`,
    )
    await database.execute(
      sql`update acme_accounts set private_key = 'sealed by another key, and so of no use'`,
    )
    await found.reloadCertificate()
    assert.notEqual((await certificateOf(foundPlace)).serialNumber, before.serialNumber)
  })

  test('HTTPS-2: a process that clients do not call opens neither port', async (t) => {
    const processes = await startProcesses([{}, {}])
    t.after(() => processes.close())
    const [httpsPort, httpPort] = await Promise.all([freePort(), freePort()])
    const tls = acmeTlsAt({ directory: 'https://127.0.0.1:1/dir', httpPort, httpsPort })
    const server = await processes.start({ publicUrl: tls.origin, tls, services: ['jobs'] })
    assert.equal((await server.fetch('/api/health')).status, 200)
    for (const port of [httpsPort, httpPort])
      await assert.rejects(askPlainly(port, '/api/health'), { code: 'ECONNREFUSED' })
  })

  test('HTTPS-7: strangers who guess tokens learn nothing, and cost few queries', async (t) => {
    const { found, pebble } = await startTwo(t, true)
    const { mock } = t.mock.method(found.deps.database, 'query')
    const path = '/.well-known/acme-challenge/'
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => askPlainly(pebble.httpPort, `${path}guess${index}`)),
    )
    assert.deepEqual(
      new Set(answers.map(({ status, text }) => `${status} ${text}`)),
      new Set(['404 no such challenge\n']),
    )
    const asked = mock.calls.filter((call) => call.arguments[0]?.text.includes('acme_challenges')).length
    assert.ok(asked <= 10, `${asked} queries`)
  })
})
