import assert from 'node:assert/strict'
import { Resolver } from 'node:dns/promises'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, test } from 'node:test'
import { startDns, type TestDns } from '#test/outside/dns-server.ts'
import { type HttpTarget, startTarget } from '#test/outside/http-target.ts'
import { Outgoing } from './outgoing.ts'
import { OutgoingError, type OutgoingFault } from './outgoing-error.ts'
import { patientResolve } from './resolve.ts'

/** Listens on all addresses of this machine, one of which acts as the internet. */
let target: HttpTarget
let dns: TestDns
let answers: (name: string) => readonly string[]

before(async () => {
  target = await startTarget(
    (_request, response) => response.setHeader('connection', 'close').end('hello'),
    '::',
  )
  dns = await startDns((name) => answers(name))
})
after(async () => {
  dns.close()
  await target.close()
})
beforeEach(() => {
  target.requests.length = 0
  dns.asked.length = 0
  answers = () => []
})

function guarded(...allowedPrivateHosts: string[]): Outgoing {
  const resolver = new Resolver({ timeout: 1000, tries: 1 })
  resolver.setServers([dns.address])
  return new Outgoing({ allowedPrivateHosts, resolve: patientResolve(resolver) })
}

async function get(outgoing: Outgoing, host: string, path = '/'): Promise<string> {
  const url = new URL(`http://${host}:${target.port}${path}`)
  try {
    const { body } = await outgoing.send({ method: 'GET', url, timeoutMs: 2000 })
    return await text(body)
  } finally {
    await outgoing.close()
  }
}

function fails(reason: OutgoingFault): (error: unknown) => boolean {
  return (error) => error instanceof OutgoingError && error.reason === reason
}

test('GUARD-1: only http and https are requested, and no URL with a password', async () => {
  const outgoing = guarded('127.0.0.1')
  const host = `127.0.0.1:${target.port}`
  const wrong = [`ftp://${host}`, 'file:///etc/passwd', 'data:,x', `ws://${host}`, `gopher://${host}`]
  for (const address of [
    ...wrong,
    `http://user@${host}`,
    `http://user:word@${host}`,
    `http://:word@${host}`,
  ]) {
    const sent = outgoing.send({ method: 'GET', url: new URL(address), timeoutMs: 1000 })
    await assert.rejects(sent, fails('blocked'), address)
  }
  assert.deepEqual(target.requests, [])
  assert.equal(await get(outgoing, '127.0.0.1'), 'hello')
})

test('GUARD-1: a refusal names the host and nothing else of the URL', async () => {
  const url = new URL(`http://user:word@127.0.0.1:${target.port}/path?token=secret`)
  await assert.rejects(guarded().send({ method: 'GET', url, timeoutMs: 1000 }), (error: Error) => {
    assert.equal(error.message, '127.0.0.1 is an address that the server may not connect to')
    return true
  })
})

test('GUARD-2: this machine is refused, however its address is written', async () => {
  const spellings = [
    ...[
      '127.0.0.1',
      '127.0.0.2',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '017700000001',
      '0177.0.0.01',
    ],
    ...['127.0.0.1.', '①②⑦.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '0', '0.0.0.0'],
    ...['[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
    ...['[64:ff9b::7f00:1]', '[2002:7f00:1::]', 'localhost', 'LOCALHOST'],
  ]
  for (const host of spellings) await assert.rejects(get(guarded(), host), fails('blocked'), host)
  assert.deepEqual(target.requests, [])
  for (const host of ['127.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost'])
    assert.equal(await get(guarded('127.0.0.0/8', '::1'), host), 'hello', host)
})

test('GUARD-2: an address with a zone is invalid', () => {
  for (const host of ['[fe80::1%25lo]', '[fe80::1%lo]', '[::1%25lo]'])
    assert.throws(() => new URL(`http://${host}/`), host)
})

test('GUARD-3: the operator allows hosts by name, suffix, address and range, and nothing else is allowed', async () => {
  answers = () => ['127.0.0.1']
  const reached = [
    { allowed: 'minio.lan', host: 'minio.lan', not: 'xminio.lan' },
    { allowed: 'MinIO.lan', host: 'minio.LAN.', not: 'a.minio.lan' },
    { allowed: '*.lan', host: 'a.b.lan', not: 'a.lan.example' },
    { allowed: '*.minio.lan', host: 'x.minio.lan', not: 'minio.lan' },
    { allowed: '127.0.0.1', host: '127.0.0.1', not: '127.0.0.2' },
    { allowed: '127.0.0.1', host: 'any.name', not: '[::1]' },
    { allowed: '127.0.0.0/31', host: '127.0.0.1', not: '127.0.0.2' },
    { allowed: '[::1]', host: '[::1]', not: '127.0.0.1' },
    { allowed: '::1/127', host: '[::1]', not: '127.0.0.1' },
    { allowed: '127.0.0.1', host: '[::ffff:127.0.0.1]', not: '[64:ff9b::7f00:1]' },
  ]
  for (const { allowed, host, not } of reached) {
    assert.equal(await get(guarded(allowed), host), 'hello', `${allowed} allows ${host}`)
    await assert.rejects(get(guarded(allowed), not), fails('blocked'), `${allowed} does not allow ${not}`)
  }
})

test('GUARD-3: an entry that is not a host, an address or a range stops the start', () => {
  for (const entry of [
    '10.0.0.0/33',
    '10.0.0.0/x',
    '10.0.0.0/',
    '::/129',
    'http://minio',
    'minio:0',
    'minio:65536',
    'minio:x',
    'minio:',
    '10.0.0.0/33:9000',
    '[::1:9000',
    'a..b',
    '*',
    'x.*',
  ])
    assert.throws(() => guarded(entry), /ALLOWED_PRIVATE_HOSTS/, entry)
})

test('GUARD-7: an entry with a port allows its host at that port only', async (t) => {
  answers = () => ['127.0.0.1']
  const { port } = target
  const other = await startTarget((_request, response) => response.end('hello'), '::')
  t.after(() => other.close())
  const entries = [
    { entry: 'minio.lan', host: 'minio.lan' },
    { entry: '*.lan', host: 'a.b.lan' },
    { entry: '127.0.0.1', host: '127.0.0.1' },
    { entry: '127.0.0.1', host: 'any.name' },
    { entry: '127.0.0.0/31', host: '127.0.0.1' },
    { entry: '[::1]', host: '[::1]' },
    { entry: '[::1/127]', host: '[::1]' },
    { entry: '[::1]/127', host: '[::1]' },
  ]
  for (const { entry, host } of entries) {
    const allowed = `${entry}:${port}`
    assert.equal(await get(guarded(allowed), host), 'hello', allowed)
    for (const entries of [[`${entry}:${other.port}`], [`${entry}:${other.port}`, `10.0.0.1:${port}`]]) {
      await assert.rejects(get(guarded(...entries), host), fails('blocked'), `${entries}`)
      const url = new URL(`http://${host}:${port}/`)
      await assert.rejects(guarded(...entries).checkTarget(url), fails('blocked'), `${entries}`)
    }
    assert.equal(
      await get(guarded(`${entry}:${other.port}`, allowed), host),
      'hello',
      `${allowed} and another`,
    )
  }
})

test('GUARD-7: the port of a URL without one is that of its protocol', async () => {
  const outgoing = guarded('10.0.0.1:443', '10.0.0.2:80')
  await outgoing.checkTarget(new URL('https://10.0.0.1/'))
  await outgoing.checkTarget(new URL('http://10.0.0.2/'))
  for (const wrong of ['http://10.0.0.1/', 'https://10.0.0.1:8443/', 'https://10.0.0.2/'])
    await assert.rejects(outgoing.checkTarget(new URL(wrong)), fails('blocked'), wrong)
  await outgoing.close()
})

test('GUARD-4: a name that resolves differently a moment later is checked by the address it connects to', async () => {
  const turns = ['127.0.0.2', '127.0.0.1', '127.0.0.2']
  answers = () => turns.splice(0, 1)
  assert.equal(await get(guarded('127.0.0.2'), 'rebind.example'), 'hello')
  assert.deepEqual(
    target.requests.map(({ to }) => to),
    ['::ffff:127.0.0.2'],
  )
  assert.deepEqual(dns.asked, ['rebind.example'])
  await assert.rejects(get(guarded('127.0.0.2'), 'rebind.example'), fails('blocked'))
  assert.deepEqual(dns.asked, ['rebind.example', 'rebind.example'])
  assert.equal(target.requests.length, 1)
  assert.equal(await get(guarded('127.0.0.2'), 'rebind.example'), 'hello')
})

test('GUARD-4: only the public addresses of a name are used', async () => {
  answers = () => ['127.0.0.1', '127.0.0.2', '10.0.0.1']
  assert.equal(await get(guarded('127.0.0.2'), 'mixed.example'), 'hello')
  assert.deepEqual(
    target.requests.map(({ to }) => to),
    ['::ffff:127.0.0.2'],
  )
  await assert.rejects(get(guarded('127.0.0.3'), 'mixed.example'), fails('blocked'))
})

test('GUARD-4: a name without an address is unreachable', async () => {
  await assert.rejects(get(guarded(), 'nobody.invalid'), fails('unreachable'))
  await assert.rejects(get(guarded('*.invalid'), 'nobody.invalid'), fails('unreachable'))
})

test('GUARD-4: trusted requests may reach this machine', async () => {
  assert.equal(await get(new Outgoing('trusted'), 'localhost'), 'hello')
  assert.equal(await get(new Outgoing('trusted'), '127.0.0.1'), 'hello')
})
