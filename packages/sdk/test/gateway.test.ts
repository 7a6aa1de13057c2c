import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { CloseCode, Opcode } from '@foyer/protocol/gateway'
import { Client, type ClientOptions } from '@foyer/sdk/client'
import type { GatewayState } from '@foyer/sdk/gateway'
import { GatewayFixture, idAt } from './gateway-fixture.ts'
import { serve } from './http-fixture.ts'
import { makeTokens } from './token-fixture.ts'

const NOW = Date.UTC(2026, 0, 1)
/** Limit of each test, and of each block. Without it, a test that hangs would block the whole run. */
const TIMEOUT_MS = 120_000
const gatewayTimings = { baseDelayMs: 5, maxDelayMs: 20 }

async function setUp(t: TestContext, options: Partial<ClientOptions> = {}) {
  const server = await GatewayFixture.start(t)
  return { server, ...connect(t, { baseUrl: server.baseUrl, tokens: makeTokens(1), ...options }) }
}

/** A connected client, and its events: their names, or the `s` of those made by `event`. */
function connect(t: TestContext, options: ClientOptions) {
  const { gateway } = new Client({ gatewayTimings, ...options })
  const received: string[] = []
  const states: GatewayState[] = []
  gateway.onAny((name, _data, { s }) => received.push(name === 'ROOM_DELETE' && s !== undefined ? s : name))
  gateway.onState((state) => states.push(state))
  t.after(() => gateway.close())
  gateway.connect()
  const receives = (name: 'READY' | 'RESUMED' | 'TYPING_START') =>
    new Promise<void>((resolve) => {
      const stop = gateway.on(name, () => {
        stop()
        resolve()
      })
    })
  const reaches = (wanted: GatewayState) =>
    new Promise<void>((resolve) => {
      const stop = gateway.onState((state) => state === wanted && resolve(void stop()))
    })
  return { gateway, received, states, receives, reaches }
}

const typing = { room_id: 'room', conversation_id: null, space_id: 'space', user_id: 'user' }

describe('the gateway', { timeout: TIMEOUT_MS }, () => {
  test('identifies a person and emits events', async (t) => {
    const { server, received, states, receives, gateway } = await setUp(t)
    const connection = await server.accept()
    assert.equal(connection.url, '/gateway?v=1')
    const { d } = await connection.receive(Opcode.Identify)
    assert.deepEqual(d, { token: 'access-1', session_token: 'session-1' })
    const isReceived = receives('TYPING_START')
    connection.ready()
    connection.event(idAt(NOW))
    connection.dispatch('TYPING_START', typing)
    connection.dispatch('TYPING_START', typing)
    await isReceived
    assert.deepEqual(received.slice(0, 3), ['READY', idAt(NOW), 'TYPING_START'])
    assert.deepEqual(states, ['connecting', 'ready'])
    assert.equal(gateway.state, 'ready')
  })

  test('identifies a bot with only its token', async (t) => {
    const { server } = await setUp(t, { botToken: 'robot' })
    const { d } = await (await server.accept()).receive(Opcode.Identify)
    assert.deepEqual(d, { token: 'Bot robot' })
  })

  test('does not call a listener after its removal', async (t) => {
    const { server, gateway, receives } = await setUp(t)
    let calls = 0
    const stop = gateway.on('TYPING_START', () => {
      calls += 1
      stop()
    })
    const connection = await server.acceptReady()
    connection.dispatch('TYPING_START', typing)
    await receives('TYPING_START')
    connection.dispatch('TYPING_START', typing)
    await receives('TYPING_START')
    assert.equal(calls, 1)
  })

  test('closes permanently without a credential', async (t) => {
    const server = await GatewayFixture.start(t)
    const { gateway, reaches } = connect(t, { baseUrl: server.baseUrl })
    await reaches('closed')
    assert.deepEqual(gateway.closeReason, { code: CloseCode.CredentialRefused, final: true })
    assert.equal(server.connections, 0)
  })

  test('starts afresh when it is closed and connected again', async (t) => {
    const { server, gateway, receives } = await setUp(t)
    const first = await server.acceptReady()
    first.event(idAt(NOW))
    first.dispatch('TYPING_START', typing)
    await receives('TYPING_START')
    gateway.close()
    assert.equal(gateway.state, 'idle')
    assert.equal(await first.closed, 1000)
    gateway.connect()
    await (await server.accept()).receive(Opcode.Identify)
  })
})

describe('resuming', { timeout: TIMEOUT_MS }, () => {
  test('starts at the greatest event received and emits missed ones once', async (t) => {
    const { server, received, states, receives } = await setUp(t)
    const first = await server.acceptReady()
    for (const time of [NOW, NOW + 20, NOW + 10]) first.event(idAt(time))
    first.dispatch('TYPING_START', typing)
    await receives('TYPING_START')
    first.cut()
    const second = await server.accept()
    const { d } = await second.receive(Opcode.Resume)
    assert.deepEqual(d, { token: 'access-1', session_token: 'session-1', s: idAt(NOW + 20) })
    for (const time of [NOW, NOW + 5, NOW + 10, NOW + 20, NOW + 30]) second.event(idAt(time))
    second.dispatch('RESUMED', { replayed: 5, presences: [] })
    await receives('RESUMED')
    const times = [NOW, NOW + 20, NOW + 10, NOW + 5, NOW + 30]
    assert.deepEqual(
      received.filter((name) => name.includes('-')),
      times.map(idAt),
      'the late one is new, the others are not passed on twice',
    )
    assert.deepEqual(states, ['connecting', 'ready', 'reconnecting', 'ready'])
  })

  test('that is interrupted starts again at the same position, not at live events between replayed ones', async (t) => {
    const { server, received, receives } = await setUp(t)
    const first = await server.acceptReady()
    first.event(idAt(NOW))
    first.dispatch('TYPING_START', typing)
    await receives('TYPING_START')
    first.cut()
    const second = await server.accept()
    await second.receive(Opcode.Resume)
    second.event(idAt(NOW + 600_000))
    second.event(idAt(NOW + 1))
    second.dispatch('TYPING_START', typing)
    await receives('TYPING_START')
    second.cut()
    const third = await server.accept()
    assert.equal((await third.receive(Opcode.Resume)).d.s, idAt(NOW))
    for (const time of [1, 2, 600_000]) third.event(idAt(NOW + time))
    third.dispatch('RESUMED', { replayed: 3, presences: [] })
    await receives('RESUMED')
    const times = [0, 600_000, 1, 2].map((time) => idAt(NOW + time))
    assert.deepEqual(
      received.filter((name) => name.includes('-')),
      times,
    )
    third.cut()
    const fourth = await server.accept()
    assert.equal((await fourth.receive(Opcode.Resume)).d.s, idAt(NOW + 600_000))
  })

  test('starts at READY’s position when nothing came after it', async (t) => {
    const { server, receives } = await setUp(t)
    const first = await server.accept()
    const isReady = receives('READY')
    first.ready(idAt(NOW))
    await isReady
    first.cut()
    const { d } = await (await server.accept()).receive(Opcode.Resume)
    assert.equal(d.s, idAt(NOW))
  })

  test('that the server refuses becomes a new READY on the same connection', async (t) => {
    const { server, received, receives } = await setUp(t)
    const first = await server.acceptReady()
    first.event(idAt(NOW))
    first.dispatch('TYPING_START', typing)
    await receives('TYPING_START')
    first.cut()
    const second = await server.accept()
    await second.receive(Opcode.Resume)
    second.send(Opcode.InvalidSession)
    await second.receive(Opcode.Identify)
    const isReady = receives('READY')
    second.ready()
    await isReady
    assert.equal(received.filter((name) => name === 'READY').length, 2)
    second.cut()
    await (await server.accept()).receive(Opcode.Identify)
  })

  test('delivers events of a frame that could not be read', async (t) => {
    const { server, receives } = await setUp(t)
    const first = await server.accept()
    const isReady = receives('READY')
    first.ready(idAt(NOW))
    await isReady
    first.sendText('{"op":0,"t":"MESSA')
    await (await server.accept()).receive(Opcode.Resume)
  })
})

describe('a lost connection', { timeout: TIMEOUT_MS }, () => {
  test('reconnects when a heartbeat is not answered', async (t) => {
    const { server } = await setUp(t)
    const first = await server.acceptReady(30)
    await first.receive(Opcode.Heartbeat)
    await (await server.accept()).receive(Opcode.Identify)
    assert.equal(server.connections, 2)
  })

  test('stays open while heartbeats are answered', async (t) => {
    const { server, states } = await setUp(t)
    // Long enough for a busy machine to answer before the next heartbeat. Otherwise the client reconnects.
    const connection = await server.acceptReady(250)
    for (let beat = 0; beat < 4; beat += 1) {
      await connection.receive(Opcode.Heartbeat)
      connection.send(Opcode.HeartbeatAck)
    }
    assert.deepEqual(states, ['connecting', 'ready'])
    assert.equal(server.connections, 1)
  })

  test('reconnects without HELLO', async (t) => {
    const { server } = await setUp(t, { gatewayTimings: { ...gatewayTimings, helloTimeoutMs: 40 } })
    while (server.connections < 2) await new Promise((resolve) => setTimeout(resolve, 10))
  })

  test('waits as long as RECONNECT says, and resumes', async (t) => {
    const { server, states, receives } = await setUp(t)
    const first = await server.accept()
    const isReady = receives('READY')
    first.ready(idAt(NOW))
    await isReady
    const started = performance.now()
    first.send(Opcode.Reconnect, { after_ms: 150 })
    await first.closed
    const second = await server.accept()
    assert.ok(performance.now() - started >= 140, 'came back too early')
    await second.receive(Opcode.Resume)
    assert.equal(states.at(-1), 'reconnecting')
  })

  test('waits no longer when the network is back', async (t) => {
    const { server, gateway, reaches } = await setUp(t)
    const first = await server.acceptReady()
    await reaches('ready')
    const isAway = reaches('reconnecting')
    first.send(Opcode.Reconnect, { after_ms: 60_000 })
    await isAway
    gateway.reconnectNow()
    await server.accept()
  })

  test('is detected when the network is back and the connection only seems alive', async (t) => {
    const timings = { ...gatewayTimings, probeTimeoutMs: 30 }
    const { server, gateway, reaches } = await setUp(t, { gatewayTimings: timings })
    const isReady = reaches('ready')
    const first = await server.acceptReady()
    await isReady
    gateway.reconnectNow()
    await first.receive(Opcode.Heartbeat)
    await server.accept()
  })

  test('reconnects to a server that was down at first', async (t) => {
    const gone = await serve(t, () => {})
    gone.server.close()
    const { states, reaches } = connect(t, { baseUrl: gone.baseUrl, tokens: makeTokens(1) })
    await reaches('reconnecting')
    const isReady = reaches('ready')
    const server = await GatewayFixture.start(t, undefined, Number(new URL(gone.baseUrl).port))
    await server.acceptReady()
    await isReady
    assert.deepEqual(states, ['connecting', 'reconnecting', 'ready'])
  })
})
