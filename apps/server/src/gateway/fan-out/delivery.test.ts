import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { connect, type GatewayClient, identify, type OpenOptions, openSession } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { assignRole, insertOverwrite, insertRole } from '#test/scenes/space-rows.ts'
import { join, makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let kim: Person
let open: GatewayClient[] = []

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  kim = await createPerson(server, 'kim')
})
afterEach(() => {
  for (const client of open) client.close()
  open = []
})
after(() => server.close())

async function listen(person: Person, options: OpenOptions = {}): Promise<GatewayClient> {
  const client = await identify(server, await openSession(server, person.id), options)
  open.push(client)
  return client
}

function said(client: GatewayClient): string[] {
  return client.heard('MESSAGE_CREATE').map((frame) => JSON.parse(frame.text).d.content)
}

test('GATEWAY-5: all recipients of an event get the same bytes, including its position in the journal', async () => {
  const space = await makeSpace(ada, [eve])
  const clients = [
    await listen(ada),
    await listen(eve),
    await listen(eve),
    await listen(ada, { compress: true }),
  ]
  const sent = await ada.client.messages.create(space.general, { content: 'hello' })
  const long = await eve.client.messages.create(space.general, { content: 'long '.repeat(600) })
  await eve.client.messages.update(space.general, long.id, { content: 'short' })
  await ada.client.messages.delete(space.general, sent.id)
  await Promise.all(clients.map((client) => client.settle()))
  const [first = [], ...others] = clients.map((client) =>
    client.frames.filter((frame) => frame.t?.startsWith('MESSAGE_')).map((frame) => frame.text),
  )
  const names = first.map((text) => JSON.parse(text).t)
  assert.deepEqual(names, ['MESSAGE_CREATE', 'MESSAGE_CREATE', 'MESSAGE_UPDATE', 'MESSAGE_DELETE'])
  for (const other of others) assert.deepEqual(other, first)
  const places = first.map((text) => JSON.parse(text).s)
  assert.deepEqual(places, [...new Set(places)].sort())
  assert.deepEqual(JSON.parse(first[0] ?? '').d, sent)
  const place = { room_id: space.general, conversation_id: null, space_id: space.id }
  const mentioned = { mentions: [], mention_roles: [], mention_everyone: false }
  const gone = { id: sent.id, seq: 1, author_id: ada.id, ...mentioned, thread_id: null, ...place }
  assert.deepEqual(JSON.parse(first[3] ?? '').d, gone)
})

test('GATEWAY-6: long frames are compressed for clients that agreed to it', async () => {
  const space = await makeSpace(ada, [eve])
  const [plain, deflated] = [await listen(eve), await listen(eve, { compress: true })]
  assert.deepEqual([plain.socket.extensions, deflated.socket.extensions], ['', 'permessage-deflate'])
  await Promise.all([plain.settle(), deflated.settle()])
  const before = [plain, deflated].map((client) => client.wire?.bytesRead ?? 0)
  await ada.client.messages.create(space.general, { content: 'again '.repeat(600) })
  await Promise.all([plain.findEvent('MESSAGE_CREATE'), deflated.findEvent('MESSAGE_CREATE')])
  const [long = 0, short = 0] = [plain, deflated].map(
    (client, index) => (client.wire?.bytesRead ?? 0) - (before[index] ?? 0),
  )
  assert.ok(long > 3600 && short < 1800, `${long} bytes plain, ${short} compressed`)
  assert.equal(deflated.heard('MESSAGE_CREATE')[0]?.text, plain.heard('MESSAGE_CREATE')[0]?.text)
})

test('GATEWAY-6: compressed frames of a client are read', async () => {
  const client = await listen(ada, { compress: { threshold: 0 } })
  assert.ok(client.socket.extensions.includes('permessage-deflate'))
  await client.settle()
})

test('GATEWAY-6: a frame that fits into a packet is sent uncompressed', async () => {
  const space = await makeSpace(ada)
  const client = await listen(ada, { compress: true })
  const sendBytes = async (content: string) => {
    await client.settle()
    const [heard, before] = [client.heard('MESSAGE_CREATE').length, client.wire?.bytesRead ?? 0]
    await ada.client.messages.create(space.general, { content })
    await client.find(() => client.heard('MESSAGE_CREATE').length > heard, 'the message')
    return {
      sent: (client.wire?.bytesRead ?? 0) - before,
      text: client.heard('MESSAGE_CREATE').at(-1)?.text.length ?? 0,
    }
  }
  const usual = await sendBytes('as long as messages are'.padEnd(52, '.'))
  assert.ok(usual.text > 1024 && usual.sent >= usual.text, `${usual.sent} bytes of ${usual.text}`)
  const long = await sendBytes('long '.repeat(100))
  assert.ok(long.sent < long.text, `${long.sent} bytes of ${long.text}`)
})

test('GATEWAY-6: a client with a small window gets frames that it can read', async () => {
  const space = await makeSpace(ada)
  const client = await listen(ada, { compress: { serverMaxWindowBits: 9 } })
  assert.ok(client.socket.extensions.includes('permessage-deflate'))
  const noise = Array.from({ length: 1800 }, () => Math.random().toString(36).at(-1)).join('')
  await ada.client.messages.create(space.general, { content: noise + noise })
  await client.findEvent('MESSAGE_CREATE')
  assert.deepEqual(said(client), [noise + noise])
})

test('GATEWAY-7: the creator of a space receives its events from then on', async () => {
  const client = await listen(ada)
  const space = await makeSpace(ada)
  await ada.client.messages.create(space.general, { content: 'first' })
  await client.findEvent('MESSAGE_CREATE')
  assert.equal(client.heard('SPACE_CREATE').length, 1)
  assert.deepEqual(said(client), ['first'])
})

test('GATEWAY-7: a new member receives the very next message, on every connection', async () => {
  for (let round = 0; round < 10; round += 1) {
    const space = await makeSpace(ada)
    const clients = [await listen(eve), await listen(eve)]
    const host = await listen(ada)
    await ada.client.messages.create(space.general, { content: 'before' })
    await join(eve, ada, space)
    const sent = await Promise.all(
      [1, 2, 3].map((turn) => ada.client.messages.create(space.general, { content: `${turn}` })),
    )
    // Each came on a connection of its own, in any order.
    const spoken = sent.toSorted((one, other) => one.seq - other.seq).map(({ content }) => content)
    for (const client of clients) {
      await client.find(() => said(client).length === 3, 'what was said')
      assert.deepEqual(said(client), spoken)
      const names = client.frames.flatMap(({ t }) => t ?? [])
      assert.deepEqual(names.slice(0, 2), ['READY', 'SPACE_CREATE'])
    }
    await host.settle()
    assert.equal(host.heard('SPACE_MEMBER_CREATE').length, 1)
    for (const client of open.splice(0)) client.close()
  }
})

test('GATEWAY-7: a user who leaves receives nothing more', async () => {
  const space = await makeSpace(ada, [eve])
  const [host, guest] = [await listen(ada), await listen(eve)]
  await ada.client.messages.create(space.general, { content: 'before' })
  await eve.client.members.leave(space.id)
  await ada.client.messages.create(space.general, { content: 'after' })
  await ada.client.messages.typing(space.general)
  await Promise.all([host.settle(), guest.settle()])
  assert.deepEqual(said(host), ['before', 'after'])
  assert.deepEqual(said(guest), ['before'])
  assert.deepEqual([host.heard('TYPING_START').length, guest.heard('TYPING_START').length], [1, 0])
  assert.deepEqual(guest.frames.at(-2)?.t, 'SPACE_DELETE')
  assert.equal(host.heard('SPACE_MEMBER_DELETE').length, 1)
})

test('GATEWAY-7: joining, leaving and joining again ends with receiving events, whatever order they are handled in', async () => {
  const space = await makeSpace(ada)
  const { code } = await ada.client.invites.create(space.id, space.general)
  const guest = await listen(eve)
  for (let round = 0; round < 10; round += 1) {
    await eve.client.invites.join(code)
    await eve.client.members.leave(space.id)
    await ada.client.messages.create(space.general, { content: 'away' })
    await eve.client.invites.join(code)
    await ada.client.messages.create(space.general, { content: `${round}` })
    await guest.find(() => said(guest).includes(`${round}`), 'what was said behind the coming back')
    await eve.client.members.leave(space.id)
  }
  // Events are held with the space, heartbeats are not.
  await guest.find(() => guest.heard('SPACE_DELETE').length === 20, 'the last time that the space was left')
  // Events on their way during the join may arrive twice, with the same position in the journal.
  const byPlace = new Map(guest.heard('MESSAGE_CREATE').map(({ s }, index) => [s, said(guest)[index]]))
  assert.deepEqual(
    [...byPlace.values()],
    Array.from({ length: 10 }, (_, round) => `${round}`),
  )
})

test('GATEWAY-7: events of a room reach those who may view it', async () => {
  const space = await makeSpace(ada, [eve, kim])
  const roleId = await insertRole(server, space.id, { permissions: 0, position: 1 })
  await assignRole(server, { spaceId: space.id, userId: kim.id, roleId })
  const overwrite = { room_id: space.general, target_type: 0 }
  const view = Permission.ViewChannels
  await insertOverwrite(server, space.id, {
    ...overwrite,
    target_id: space.id,
    allow_flags: 0,
    deny_flags: view,
  })
  await insertOverwrite(server, space.id, {
    ...overwrite,
    target_id: roleId,
    allow_flags: view,
    deny_flags: 0,
  })
  const [owner, blind, seeing] = [await listen(ada), await listen(eve), await listen(kim)]
  const { id } = await kim.client.messages.create(space.general, { content: 'psst' })
  await kim.client.messages.update(space.general, id, { content: 'pssst' })
  await kim.client.messages.typing(space.general)
  await kim.client.messages.delete(space.general, id)
  await kim.client.messages.create(space.lounge, { content: 'all' })
  await Promise.all([owner, blind, seeing].map((client) => client.settle()))
  assert.deepEqual([said(owner), said(seeing), said(blind)], [['psst', 'all'], ['psst', 'all'], ['all']])
  const about = (client: GatewayClient) =>
    client.frames.filter((frame) => frame.text.includes(space.general) && frame.t !== 'READY')
  assert.deepEqual(about(blind), [])
  assert.deepEqual([about(owner).length, about(seeing).length], [4, 4])
})

test('GATEWAY-7: invites are sent to members who may manage them', async () => {
  const space = await makeSpace(ada, [eve, kim])
  const roleId = await insertRole(server, space.id, { permissions: Permission.ManageInvites, position: 1 })
  await assignRole(server, { spaceId: space.id, userId: kim.id, roleId })
  const [owner, plain, manager] = [await listen(ada), await listen(eve), await listen(kim)]
  const { id } = await eve.client.invites.create(space.id, space.general)
  await ada.client.invites.revoke(space.id, id)
  await Promise.all([owner, plain, manager].map((client) => client.settle()))
  for (const [client, count] of [
    [owner, 1],
    [manager, 1],
    [plain, 0],
  ] as const) {
    assert.equal(client.heard('SPACE_INVITE_CREATE').length, count)
    assert.equal(client.heard('SPACE_INVITE_DELETE').length, count)
  }
})

test('GATEWAY-7: two simultaneous events are received once each, in order', async () => {
  const space = await makeSpace(ada)
  const client = await connect(server, ada)
  open.push(client)
  const turns = Array.from({ length: 200 }, (_, turn) => turn)
  const rooms = [space.general, space.lounge]
  await Promise.all(
    turns.map((turn) => ada.client.messages.create(rooms[turn % 2] ?? '', { content: `${turn}` })),
  )
  await client.settle()
  for (const room of rooms) {
    const inRoom = client.heard('MESSAGE_CREATE').map((frame) => JSON.parse(frame.text).d)
    const seqs = inRoom.filter((message) => message.room_id === room).map((message) => message.seq)
    assert.deepEqual(
      seqs,
      turns.slice(0, 100).map((turn) => turn + 1),
    )
  }
})
