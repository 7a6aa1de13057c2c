import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import type { MembersChunk } from '@foyer/protocol/members'
import { Client } from '../src/client.ts'
import { GatewayCommandError } from '../src/commands.ts'
import { type FixtureConnection, GatewayFixture, idAt } from './gateway-fixture.ts'
import { makeTokens } from './token-fixture.ts'

const SPACE = '01900000-0000-7000-8000-000000000000'

async function setUp(t: TestContext) {
  const server = await GatewayFixture.start(t)
  const gatewayTimings = { baseDelayMs: 1, maxDelayMs: 1 }
  const { gateway } = new Client({ baseUrl: server.baseUrl, tokens: makeTokens(1), gatewayTimings })
  t.after(() => gateway.close())
  const isReady = () =>
    new Promise<void>((resolve) => {
      const end = gateway.onState((state) => {
        if (state !== 'ready') return
        end()
        resolve()
      })
    })
  return { server, gateway, isReady }
}

function answer(connection: FixtureConnection, nonce: unknown, change: Partial<MembersChunk> = {}): void {
  const chunk = { space_id: SPACE, members: [], presences: [], not_found: [], chunk_index: 0, chunk_count: 1 }
  connection.dispatch('SPACE_MEMBERS_CHUNK', { ...chunk, nonce: String(nonce), ...change })
}

function nonceOf({ d }: { d: object }): unknown {
  return Reflect.get(d, 'nonce')
}

test('a presence is sent with IDENTIFY and RESUME, and at once while the gateway is ready', async (t) => {
  const { server, gateway, isReady } = await setUp(t)
  gateway.setPresence({ status: 'invisible' })
  const ready = isReady()
  gateway.connect()
  const first = await server.accept()
  const identify = await first.receive(Opcode.Identify)
  assert.deepEqual(Reflect.get(identify.d, 'presence'), { status: 'invisible' })
  gateway.setPresence({ status: 'idle' })
  first.ready(idAt(Date.now()))
  await ready
  assert.deepEqual((await first.receive(Opcode.PresenceUpdate)).d, { status: 'idle' })
  gateway.setPresence({ status: 'dnd', custom: 'busy' })
  assert.deepEqual((await first.receive(Opcode.PresenceUpdate)).d, { status: 'dnd', custom: 'busy' })
  first.cut()
  const second = await server.accept()
  const resume = await second.receive(Opcode.Resume)
  assert.deepEqual(Reflect.get(resume.d, 'presence'), { status: 'dnd', custom: 'busy' })
})

test('subscriptions are repeated on every connection, but not those of a space that was left', async (t) => {
  const { server, gateway } = await setUp(t)
  const list = { space_id: SPACE, member_ranges: [[0, 99]] }
  gateway.subscribe({ space_id: 'left', typing: false })
  gateway.subscribe({ space_id: 'usual', presence: false })
  gateway.subscribe(list)
  gateway.subscribe({ space_id: 'usual' })
  gateway.connect()
  const first = await server.acceptReady()
  assert.deepEqual((await first.receive(Opcode.Subscribe)).d, { space_id: 'left', typing: false })
  assert.deepEqual((await first.receive(Opcode.Subscribe)).d, list)
  const left = new Promise((resolve) => gateway.on('SPACE_DELETE', resolve))
  first.dispatch('SPACE_DELETE', { space_id: 'left' }, idAt(Date.now()))
  await left
  first.cut()
  const second = await server.accept()
  await second.receive(Opcode.Resume)
  second.dispatch('RESUMED', { replayed: 0, presences: [] })
  assert.deepEqual((await second.receive(Opcode.Subscribe)).d, list)
})

test('the list of a removed room is not requested again, and typing indicators stay as they were', async (t) => {
  const { server, gateway } = await setUp(t)
  const looks = ['one', 'two', 'three'].map((space_id) => ({
    space_id,
    room_id: `room of ${space_id}`,
    member_ranges: [[0, 99]],
    typing: space_id === 'three',
  }))
  gateway.connect()
  const first = await server.acceptReady()
  for (const look of looks) {
    gateway.subscribe(look)
    await first.receive(Opcode.Subscribe)
  }
  const gone = new Promise((resolve) =>
    gateway.on('ROOM_DELETE', ({ space_id }) => space_id === 'three' && resolve(space_id)),
  )
  first.dispatch('ROOM_DELETE', { space_id: 'one', room_id: 'room of one' })
  first.dispatch('ROOM_DELETE', { space_id: 'two', room_id: 'another' })
  first.dispatch('ROOM_DELETE', { space_id: 'three', room_id: 'room of three' })
  await gone
  first.cut()
  const second = await server.acceptReady()
  assert.deepEqual((await second.receive(Opcode.Subscribe)).d, { space_id: 'one', typing: false })
  assert.deepEqual((await second.receive(Opcode.Subscribe)).d, looks[1])
  gateway.subscribe({ space_id: 'one' })
  assert.deepEqual((await second.receive(Opcode.Subscribe)).d, { space_id: 'one' }, 'nothing of the third')
})

test('member chunks are combined, and requested again on the next connection', async (t) => {
  const { server, gateway } = await setUp(t)
  gateway.connect()
  const found = gateway.requestMembers({ space_id: SPACE, query: 'a' })
  const first = await server.acceptReady()
  const nonce = nonceOf(await first.receive(Opcode.RequestMembers))
  answer(first, 'another', { not_found: ['x'] })
  answer(first, nonce, { chunk_count: 2, not_found: ['lost'] })
  first.cut()
  const second = await server.acceptReady()
  assert.equal(nonceOf(await second.receive(Opcode.RequestMembers)), nonce)
  answer(second, nonce, { chunk_count: 2, not_found: ['1'] })
  answer(second, nonce, { chunk_count: 2, chunk_index: 1, not_found: ['2'] })
  assert.deepEqual((await found).not_found, ['1', '2'])
})

test('an ERROR reaches its caller, or the listeners if there is none', async (t) => {
  const { server, gateway } = await setUp(t)
  const errors: string[] = []
  gateway.onError(({ code }) => errors.push(code))
  gateway.connect()
  const connection = await server.acceptReady()
  const refused = assert.rejects(
    gateway.requestMembers({ space_id: SPACE, query: 'a' }),
    (error) => error instanceof GatewayCommandError && error.code === 'rate_limited',
  )
  const closed = assert.rejects(gateway.requestMembers({ space_id: SPACE, query: 'b' }), /closed/)
  const nonce = nonceOf(await connection.receive(Opcode.RequestMembers))
  connection.send(Opcode.Error, { code: 'too_many_lists', error: 'too many' })
  connection.send(Opcode.Error, { code: 'rate_limited', error: 'slowly', nonce })
  await refused
  assert.deepEqual(errors, ['too_many_lists'])
  gateway.close()
  await closed
})
