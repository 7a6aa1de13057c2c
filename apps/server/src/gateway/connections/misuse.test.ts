import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, afterEach, before, type TestContext, test } from 'node:test'
import { CloseCode, Opcode } from '@foyer/protocol/gateway'
import { GatewayClient, type Identity, identify, openGateway, openSession } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'

const KIB = 1024
const HOUR_MS = 3_600_000

let server: TestServer
let ada: Person
let identity: Identity
let open: GatewayClient[] = []

before(async () => {
  server = await startOwnServer()
  ada = await createPerson(server, 'ada')
  identity = await openSession(server, ada.id)
})
afterEach(() => {
  for (const client of open) client.close()
  open = []
})
after(() => server.close())

async function waiting(): Promise<GatewayClient> {
  const client = await openGateway(server)
  open.push(client)
  return client
}

async function ready(): Promise<GatewayClient> {
  const client = await identify(server, identity)
  open.push(client)
  return client
}

/** Pads the frame with spaces to this many bytes. */
function padded(frame: object, bytes: number): string {
  const text = JSON.stringify(frame)
  return `${text.slice(0, -1)}${' '.repeat(bytes - text.length)}}`
}

test('GATEWAY-8: an unknown opcode closes with 4001, before and after IDENTIFY', async () => {
  for (const client of [await waiting(), await waiting(), await ready()]) {
    client.send(client === open[1] ? 1.5 : 13)
    assert.equal(await client.closed, CloseCode.UnknownOpcode)
  }
})

test('GATEWAY-8: a frame that cannot be decoded closes with 4002', async () => {
  const undecodable: (string | Buffer)[] = [
    'hello',
    '',
    'null',
    '[]',
    '{"d":1}',
    '{"op":"1"}',
    '{"op":1,"d":"\\ud800"}',
    '{"op":1,"d":"\\u0000"}',
    padded({ op: Opcode.Heartbeat, d: null }, 16 * KIB + 1),
    padded({ op: Opcode.VoiceSignal, d: null }, 128 * KIB + 1),
    Buffer.from(JSON.stringify({ op: Opcode.Heartbeat, d: null })),
  ]
  for (const frame of undecodable) {
    const client = await ready()
    client.socket.send(frame)
    assert.equal(await client.closed, CloseCode.NotDecodable, String(frame).slice(0, 40))
  }
  const invalidUtf8 = await ready()
  invalidUtf8.socket.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false })
  assert.equal(await invalidUtf8.closed, CloseCode.NotDecodable)
})

test('GATEWAY-8: 16 KiB, and 128 KiB of a voice signal, are accepted', async () => {
  const client = await ready()
  client.socket.send(padded({ op: Opcode.VoiceSignal, d: null }, 128 * KIB))
  client.socket.send(padded({ op: Opcode.Heartbeat, d: null }, 16 * KIB))
  await client.findCommand(Opcode.HeartbeatAck)
})

test('GATEWAY-8: a frame that is too long closes with 4002, too', async () => {
  const client = await ready()
  client.socket.send(' '.repeat(4 * KIB * KIB))
  assert.equal(await client.closed, CloseCode.NotDecodable)
})

test('GATEWAY-8: commands before IDENTIFY close with 4003, a second IDENTIFY with 4005', async () => {
  const early = await waiting()
  early.send(Opcode.PresenceUpdate, { status: 'idle' })
  assert.equal(await early.closed, CloseCode.NotIdentified)
  for (const op of [Opcode.Identify, Opcode.Resume]) {
    const late = await ready()
    late.send(op, identity)
    assert.equal(await late.closed, CloseCode.IdentifiedTwice)
    const atOnce = await waiting()
    atOnce.send(Opcode.Identify, identity)
    atOnce.send(op, identity)
    assert.equal(await atOnce.closed, CloseCode.IdentifiedTwice)
  }
})

test('GATEWAY-8: another version of the protocol is refused with 4012', async () => {
  for (const version of ['2', '', '01']) {
    const client = await openGateway(server, { version }).catch((error: Error) => error)
    assert.ok(client instanceof Error, version)
  }
  assert.equal(await new GatewayClient(server, { version: '2' }).closed, CloseCode.UnknownVersion)
})

/**
 * Stops the clock, so that the speed of the machine does not matter. At a whole millisecond, because sums of
 * fractions are not exact.
 */
function stopClock(context: TestContext) {
  const clock = { now: Math.ceil(performance.now()) }
  context.mock.method(performance, 'now', () => clock.now)
  return clock
}

test('GATEWAY-8: a client that is silent for one and a half heartbeats is closed with 4009', async (context) => {
  const clock = stopClock(context)
  const due = clock.now + 61_875
  const [silent, beating] = [await ready(), await ready()]
  server.deps.gateway.sweep({ monotonicMs: due })
  // Any other frame is answered, and does not count as a heartbeat.
  silent.send(Opcode.VoiceSignal, {})
  await silent.findCommand(Opcode.Error)
  clock.now = due
  await beating.settle()
  server.deps.gateway.sweep({ monotonicMs: due + 1 })
  assert.equal(await silent.closed, CloseCode.HeartbeatMissed)
  await beating.settle()
})

test('GATEWAY-19: a jump of the clock closes no connection', async (context) => {
  const [client, late] = [await ready(), await waiting()]
  for (const jumpMs of [HOUR_MS, -HOUR_MS]) {
    context.mock.timers.enable({ apis: ['Date'], now: Date.now() + jumpMs })
    server.deps.gateway.sweep()
    await Promise.all([client.settle(), late.settle()])
    context.mock.timers.reset()
  }
})

test('GATEWAY-8: a client that does not identify within 10 s is closed with 4003', async (context) => {
  const due = stopClock(context).now + 10_000
  const [silent, quick] = [await waiting(), await ready()]
  server.deps.gateway.sweep({ monotonicMs: due })
  await Promise.all([silent.settle(), quick.settle()])
  server.deps.gateway.sweep({ monotonicMs: due + 1 })
  assert.equal(await silent.closed, CloseCode.NotIdentified)
  await quick.settle()
})

test('GATEWAY-9: the 121st frame within a minute closes with 4008', async () => {
  const client = await waiting()
  for (let turn = 0; turn < 120; turn += 1) client.send(Opcode.Heartbeat, null)
  await client.find(() => client.frames.filter(({ op }) => op === Opcode.HeartbeatAck).length === 120)
  client.send(Opcode.Heartbeat, null)
  assert.equal(await client.closed, CloseCode.TooFastOrTooSlow)
})

test('GATEWAY-9: a pong counts as a frame, also before IDENTIFY', async () => {
  const client = await waiting()
  for (let turn = 0; turn < 121; turn += 1) client.socket.pong()
  assert.equal(await client.closed, CloseCode.TooFastOrTooSlow)
})

test('GATEWAY-11: invalid data is answered with ERROR', async () => {
  const client = await ready()
  client.send(Opcode.Heartbeat, 5)
  await client.settle()
  const errors = client.frames.filter(({ op }) => op === Opcode.Error).map(({ d }) => d)
  assert.deepEqual(errors, [{ code: 'invalid_request', error: 'the data must be string' }])
  const early = await waiting()
  for (const d of [null, {}, { token: 5 }, { token: 'x'.repeat(513) }]) early.send(Opcode.Identify, d)
  await early.settle()
  assert.equal(early.frames.filter(({ op }) => op === Opcode.Error).length, 4)
  early.send(Opcode.Identify, identity)
  await early.findEvent('READY')
})

test('GATEWAY-8: an upgrade at another path, or at an invalid one, is refused and harms nobody', async () => {
  const other = await ready()
  for (const path of ['//', '/', '/api/gateway', 'http://[/', '/gateway/x']) {
    assert.equal(await upgrade(path), 404, path)
  }
  await other.settle()
})

function upgrade(path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(server.url)
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  }
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, headers }, (response) => resolve(response.statusCode))
    asked.on('upgrade', (_response, socket) => {
      socket.destroy()
      resolve(101)
    })
    asked.on('error', reject)
    asked.end()
  })
}
