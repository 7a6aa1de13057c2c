import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { CloseCode, Opcode } from '@foyer/protocol/gateway'
import { MAX_ADDRESS_JOINING, MAX_USER_CONNECTIONS } from '@foyer/protocol/limits'
import { sql } from '#src/kernel/sql/sql.ts'
import { type Identity, identify, openGateway, openSession } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let open: { close(): void }[] = []

before(async () => {
  server = await startTestServer({ rateLimits: true, trustedProxies: ['127.0.0.1'] })
  // Sets the reported delay of the event loop from here on.
  server.deps.loadGuard.close()
  beLate(0)
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
})
afterEach(() => {
  for (const client of open) client.close()
  open = []
})
after(() => server.close())

/** @param rounds measurements of the guard */
function beLate(ms: number, rounds = 50): void {
  for (let round = 0; round < rounds; round += 1) server.deps.loadGuard.observe(ms)
}

interface Answer {
  status: number
  head: string
  body: string
}

/** Asks for an upgrade through the proxy, and returns the first answer. */
async function knock(address = '127.0.0.1'): Promise<Answer & { socket: Socket }> {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' })
  open.push({ close: () => socket.destroy() })
  const head = [
    'GET /gateway?v=1 HTTP/1.1',
    'Host: a',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`,
    `X-Forwarded-For: ${address}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const [data] = await once(socket, 'data')
  const [answered = '', body = ''] = String(data).split('\r\n\r\n')
  return { socket, status: Number(answered.split(' ')[1]), head: answered, body }
}

function assertUnavailable({ status, head, body }: Answer): void {
  assert.equal(status, 503, head)
  assert.match(head, /\r\nX-Error-Code: unavailable\r\n/)
  assert.match(head, /\r\nretry-after: [1-9]\d*(\r\n|$)/i)
  assert.deepEqual(JSON.parse(body), { error: 'temporarily unavailable, try again later' })
}

test('ADMISSION-1: upgrades are 503 while the queue has waited too long; everyone in it gets their turn', async () => {
  const clients = await Promise.all(Array.from({ length: 40 }, () => openGateway(server)))
  open.push(...clients)
  const identities: Identity[] = []
  for (const number of clients.keys()) {
    const { id } = await createPerson(server, `person${number}`)
    identities.push(await openSession(server, id))
  }
  const lock = await holdLock(server, sql`lock table members in access exclusive mode`)
  for (const [number, client] of clients.entries()) client.send(Opcode.Identify, identities[number])
  await untilMetric('foyer_gateway_joining', clients.length - 16)
  const refused = await knockUntil(503)
  await lock.release()
  assertUnavailable(refused)
  for (const client of clients) await client.findEvent('READY')
  assert.equal(await metric('foyer_gateway_joining'), 0)
  await knockUntil(101)
})

/** The statement that waits for the lock has 5 s. */
async function knockUntil(status: number): Promise<Answer> {
  const deadline = Date.now() + 4500
  let answer = await knock()
  while (answer.status !== status && Date.now() < deadline) {
    await delay(50)
    answer = await knock()
  }
  return answer
}

async function metric(name: string): Promise<number> {
  const text = await (await server.fetch('/metrics')).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

async function untilMetric(name: string, value: number): Promise<void> {
  const deadline = Date.now() + 4000
  while ((await metric(name)) !== value) {
    assert.ok(Date.now() < deadline, `${name} is not ${value}`)
    await delay(10)
  }
}

test('ADMISSION-2: upgrades are 503 while the event loop is late, until it has recovered', async () => {
  beLate(2000, 1)
  beLate(0)
  assert.equal((await knock()).status, 101, 'once is no matter')
  beLate(300)
  assertUnavailable(await knock())
  beLate(150)
  assertUnavailable(await knock())
  beLate(50)
  assert.equal((await knock()).status, 101)
  beLate(150)
  assert.equal((await knock()).status, 101)
  beLate(0)
})

test('ADMISSION-3: requests are 503 only while it is very late; health and metrics are answered', async () => {
  const status = async (path: string) => (await server.fetch(path)).status
  beLate(900)
  assert.equal(await status('/api/invites/AbCdEfGh12'), 404)
  beLate(1500)
  const refused = await server.fetch('/api/invites/AbCdEfGh12')
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('x-error-code'), 'unavailable')
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-5]$/)
  assert.deepEqual([await status('/api/health'), await status('/metrics')], [200, 200])
  beLate(500)
  assert.equal(await status('/api/invites/AbCdEfGh12'), 503)
  beLate(0)
  assert.equal(await status('/api/invites/AbCdEfGh12'), 404)
})

test('ADMISSION-4: a network may have only so many connections that have not joined; others, and private ones, are still accepted', async (context) => {
  // No connection is closed for identifying late, however long so many take.
  const now = performance.now()
  const clock = context.mock.method(performance, 'now', () => now)
  for (let from = 0; from < MAX_ADDRESS_JOINING; from += 50) {
    const addresses = Array.from(
      { length: 50 },
      (_, index) => `2a00:1450:4001:81a::${(from + index).toString(16)}`,
    )
    const answers = await Promise.all(addresses.map(knock))
    assert.ok(answers.every(({ status }) => status === 101))
  }
  const refused = await knock('2a00:1450:4001:81a:ffff::1')
  assert.equal(refused.status, 429)
  assert.match(refused.head, /\r\nretry-after: ([1-9]|10)(\r\n|$)/i)
  assert.deepEqual(JSON.parse(refused.body), { error: 'too many requests, try again later' })
  for (const other of ['2a00:1450:4001:81b::1', '8.8.8.8', '127.0.0.1'])
    assert.equal((await knock(other)).status, 101, other)
  open.shift()?.close()
  clock.mock.restore()
  await untilTaken('2a00:1450:4001:81a::1')
})

async function untilTaken(address: string): Promise<void> {
  const deadline = performance.now() + 10_000
  let { status } = await knock(address)
  while (status !== 101 && performance.now() < deadline) {
    await delay(20)
    status = (await knock(address)).status
  }
  assert.equal(status, 101)
}

test('ADMISSION-5: a user may have only so many connections; one more closes with 4008, until another has closed', async () => {
  const identity = await openSession(server, ada.id)
  const each = Array.from({ length: MAX_USER_CONNECTIONS }, () => identify(server, identity))
  const clients = await Promise.all(each)
  open.push(...clients)
  const late = await openGateway(server)
  late.send(Opcode.Identify, identity)
  assert.equal(await late.closed, CloseCode.TooFastOrTooSlow)
  open.push(await identify(server, await openSession(server, eve.id)))
  clients[0]?.close()
  await untilMetric('foyer_gateway_connections', MAX_USER_CONNECTIONS)
  open.push(await identify(server, identity))
})

test('ADMISSION-9: metrics count the upgrades by their answer, and say how late the event loop is', async () => {
  const count = (answer: string) => metric(`foyer_gateway_upgrades_total\\{answer="${answer}"\\}`)
  const [taken, refused] = [await count('taken'), await count('unavailable')]
  await knock()
  beLate(300)
  await knock()
  assert.deepEqual([await count('taken'), await count('unavailable')], [taken + 1, refused + 1])
  assert.ok((await count('rate_limited')) > 0)
  assert.ok(Math.abs((await metric('foyer_load_lag_seconds')) - 0.3) < 0.01)
  beLate(0)
})
