import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import { Permission } from '@foyer/protocol/permissions'
import { firstIdAt, newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { insertEvents } from '#src/kernel/journal/insert-events.ts'
import {
  type GatewayClient,
  type Identity,
  identify,
  openGateway,
  openSession,
  type ReceivedFrame,
  resume,
} from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { insertOverwrite } from '#test/scenes/space-rows.ts'
import { join, makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let identity: Identity
let open: GatewayClient[] = []

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  identity = await openSession(server, eve.id)
})
afterEach(() => {
  for (const client of open) client.close()
  open = []
})
after(() => server.close())

async function begin(): Promise<GatewayClient> {
  const client = await identify(server, identity)
  open.push(client)
  return client
}

async function comeBack(s: string): Promise<GatewayClient> {
  const client = await resume(server, identity, s)
  open.push(client)
  return client
}

/** The last position the client received. */
function placeOf(client: GatewayClient): string {
  return client.frames.reduce((greatest, { s = '' }) => (s > greatest ? s : greatest), '')
}

/** Returns the events after the position, each once, in order of arrival. */
function newSince(client: GatewayClient, place: string): ReceivedFrame[] {
  const seen = new Map(client.frames.flatMap((frame) => (frame.s === undefined ? [] : [[frame.s, frame]])))
  return [...seen.values()].filter(({ s = '' }) => s > place)
}

function contents(frames: readonly ReceivedFrame[]): string[] {
  return frames.filter(({ t }) => t === 'MESSAGE_CREATE').map(({ text }) => JSON.parse(text).d.content)
}

test('JOURNAL-1: RESUME sends the missed events in the same bytes, then new ones', async () => {
  const space = await makeSpace(ada, [eve])
  const [stays, leaves] = [await begin(), await begin()]
  await ada.client.messages.create(space.general, { content: 'heard' })
  await leaves.settle()
  leaves.close()
  const missed = await ada.client.messages.create(space.general, { content: 'missed' })
  await ada.client.messages.typing(space.general)
  await ada.client.messages.update(space.general, missed.id, { content: 'edited' })
  await ada.client.messages.delete(space.general, missed.id)
  const back = await comeBack(placeOf(leaves))
  await ada.client.messages.create(space.general, { content: 'live' })
  await Promise.all([stays.settle(), back.settle()])
  const texts = (client: GatewayClient) => newSince(client, placeOf(leaves)).map(({ text }) => text)
  assert.equal(texts(back).length, 4)
  assert.deepEqual(texts(back), texts(stays))
  assert.equal(back.heard('TYPING_START').length, 0)
  const names = back.frames.flatMap(({ t }) => t ?? [])
  const at = names.indexOf('RESUMED')
  assert.deepEqual(names.slice(at + 1), ['MESSAGE_CREATE'])
  assert.deepEqual(Object(back.heard('RESUMED')[0]?.d).replayed, at)
})

test('JOURNAL-1: a client that resumes while others write receives every message, in order of each room', async () => {
  const space = await makeSpace(ada, [eve])
  const place = placeOf(await begin())
  let sent = 0
  let writing = true
  const writers = Array.from({ length: 8 }, async () => {
    while (writing) await ada.client.messages.create(space.general, { content: `${sent++}` })
  })
  const clients: GatewayClient[] = []
  for (let turn = 0; turn < 15; turn += 1) clients.push(await comeBack(place))
  writing = false
  await Promise.all(writers)
  for (const client of clients) {
    await client.settle()
    const heard = newSince(client, place).map(({ text }) => JSON.parse(text).d.seq)
    assert.deepEqual(
      heard,
      Array.from({ length: sent }, (_, index) => index + 1),
    )
  }
})

test('JOURNAL-4: a replay that ends between two simultaneous messages does not send the later one alone', async () => {
  const zoe = await createPerson(server, 'zoe')
  const { id, general } = await makeSpace(zoe)
  const eventAt = (fromNowMs: number, seq: number) => ({
    id: firstIdAt(Date.now() + fromNowMs),
    topic: topicOf.room(id, general),
    audience: 0,
    name: 'MESSAGE_CREATE',
    data: JSON.stringify({ id: newId(), room_id: general, space_id: id, seq, content: `number ${seq}` }),
  })
  // A replay has ids of up to 5 s from now, because clocks differ. What comes after that is received live.
  await server.deps.database.execute(
    insertEvents([eventAt(-60_000, 1), eventAt(3800, 2), eventAt(4000, 4), eventAt(5900, 3)]),
  )
  const client = await resume(server, await openSession(server, zoe.id), firstIdAt(Date.now() - 11 * 60_000))
  open.push(client)
  assert.deepEqual(contents(client.frames), ['number 1', 'number 2'])
})

test('JOURNAL-2: missed events reach those who may receive them now', async () => {
  const [left, joined, kept] = [
    await makeSpace(ada, [eve]),
    await makeSpace(ada),
    await makeSpace(ada, [eve]),
  ]
  const hidden = { room_id: kept.lounge, target_id: eve.id, target_type: 1, allow_flags: 0 }
  await insertOverwrite(server, kept.id, { ...hidden, deny_flags: Permission.ViewChannels })
  const away = await begin()
  away.close()
  await ada.client.messages.create(left.general, { content: 'left' })
  await eve.client.members.leave(left.id)
  await join(eve, ada, joined)
  for (const room of [joined.general, kept.general, kept.lounge]) {
    await ada.client.messages.create(room, { content: room })
  }
  const { id } = await ada.client.invites.create(kept.id, kept.general)
  const back = await comeBack(placeOf(away))
  await ada.client.messages.create(left.general, { content: 'left' })
  await ada.client.messages.create(joined.general, { content: 'live' })
  await back.settle()
  const heard = newSince(back, placeOf(away))
  assert.deepEqual(contents(heard), [joined.general, kept.general, 'live'])
  const gone = back.heard('SPACE_DELETE').filter(({ text }) => text.includes(left.id))
  assert.deepEqual(
    gone.map(({ d, s }) => [d, s]),
    [[{ space_id: left.id }, undefined]],
  )
  const told = (spaceId: string) => back.heard('SPACE_CREATE').filter(({ text }) => text.includes(spaceId))
  assert.deepEqual([told(left.id).length, told(joined.id).length, told(kept.id).length], [0, 1, 1])
  assert.ok(!told(kept.id)[0]?.text.includes(kept.lounge))
  assert.ok(heard.every(({ text }) => !text.includes(id)))
})

test('JOURNAL-3: a client that was away too long, or names a future position, must identify again', async () => {
  const now = Date.now()
  const day = 24 * 60 * 60 * 1000
  for (const time of [now - day - 60_000, 0, now + 60_000]) {
    const client = await comeBack(firstIdAt(time))
    assert.deepEqual(
      [client.heard('RESUMED'), (await client.findCommand(Opcode.InvalidSession)).d],
      [[], false],
    )
    client.send(Opcode.Identify, identity)
    await client.findEvent('READY')
  }
  const client = await comeBack(firstIdAt(now - day + 60_000))
  assert.equal(client.heard('RESUMED').length, 1)
})

test('JOURNAL-3: an invalid position is answered with ERROR, and the client may try again', async () => {
  const client = await openGateway(server)
  open.push(client)
  client.send(Opcode.Resume, { ...identity, s: 'yesterday' })
  const { d } = await client.findCommand(Opcode.Error)
  assert.deepEqual(d, { code: 'invalid_request', error: 's must be a valid uuid' })
  client.send(Opcode.Resume, { ...identity, s: newId() })
  await client.findEvent('RESUMED')
})

test('JOURNAL-3: a client that missed more than 20,000 events identifies again on the same connection', async () => {
  const kim = await createPerson(server, 'kim')
  identity = await openSession(server, kim.id)
  const place = placeOf(await begin())
  const topic = topicOf.user(kim.id)
  const missed = Array.from({ length: 20_001 }, () => ({
    id: newId(),
    topic,
    audience: 0,
    name: 'X',
    data: '{}',
  }))
  await server.deps.database.execute(insertEvents(missed))
  const client = await comeBack(place)
  await client.findCommand(Opcode.InvalidSession)
  assert.ok(
    client.frames.every(({ t }) => t === undefined),
    'nothing is sent in vain',
  )
  client.send(Opcode.Identify, identity)
  await client.findEvent('READY')
})
