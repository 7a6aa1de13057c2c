import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { callAsNobody, createPerson, type Person } from '#test/scenes/people.ts'
import { insertOverwrite } from '#test/scenes/space-rows.ts'
import { join, makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let open: GatewayClient[] = []

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
})
afterEach(() => {
  for (const client of open) client.close()
  open = []
})
after(() => server.close())

async function listen(person: Person): Promise<GatewayClient> {
  const client = await connect(server, person)
  open.push(client)
  return client
}

async function say(person: Person, roomId: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let turn = 0; turn < count; turn += 1) {
    ids.push((await person.client.messages.create(roomId, { content: `${turn}` })).id)
  }
  return ids
}

/** Returns the room's read state in READY. */
async function readOf(person: Person, roomId: string): Promise<number | undefined> {
  const client = await listen(person)
  const { read_states } = JSON.parse(client.heard('READY')[0]?.text ?? '').d
  const state = read_states.find(({ room_id }: { room_id: string }) => room_id === roomId)
  return state?.last_read_seq
}

test('READ-1: the read state moves to the message, forwards and back, on all devices of the user only', async () => {
  const space = await makeSpace(ada, [eve])
  const [first = '', second = '', third = ''] = await say(ada, space.general, 3)
  const [phone, desk, other] = [await listen(eve), await listen(eve), await listen(ada)]
  for (const [id, seq] of [
    [second, 2],
    [third, 3],
    [third, 3],
    [first, 1],
  ] as const) {
    const answer = await eve.call('POST', `/api/rooms/${space.general}/messages/${id}/ack`)
    assert.deepEqual([answer.status, answer.body], [204, undefined])
    assert.equal(await readOf(eve, space.general), seq)
  }
  await Promise.all([phone, desk, other].map((client) => client.settle()))
  const state = { room_id: space.general, conversation_id: null, mention_count: 0 }
  const told = [2, 3, 3, 1].map((seq) => ({ ...state, last_read_seq: seq, unread_count: 3 - seq }))
  for (const client of [phone, desk]) {
    assert.deepEqual(
      client.heard('MESSAGE_ACK').map(({ d }) => d),
      told,
    )
    assert.ok(client.heard('MESSAGE_ACK').every(({ s }) => s !== undefined))
  }
  assert.deepEqual(other.heard('MESSAGE_ACK'), [])
})

test('READ-2: each room and each user has a separate read state', async () => {
  const space = await makeSpace(ada, [eve])
  const [inGeneral = ''] = (await say(ada, space.general, 2)).slice(1)
  const [inLounge = ''] = await say(ada, space.lounge, 1)
  await eve.client.messages.ack(space.general, inGeneral)
  await ada.client.messages.ack(space.lounge, inLounge)
  assert.deepEqual([await readOf(eve, space.general), await readOf(eve, space.lounge)], [2, 0])
  assert.equal(await readOf(ada, space.lounge), 1)
})

test('READ-3: only an existing message in a visible room can be acknowledged', async () => {
  const space = await makeSpace(ada, [eve])
  const [gone = ''] = await say(ada, space.general, 1)
  const [elsewhere = ''] = await say(ada, space.lounge, 1)
  const ack = (person: Person, id: string) =>
    person.call('POST', `/api/rooms/${space.general}/messages/${id}/ack`)
  await ada.client.messages.delete(space.general, gone)
  for (const id of [gone, elsewhere, newId()]) assert.equal((await ack(eve, id)).code, 'unknown_message')
  assert.equal((await ack(eve, 'x')).code, 'invalid_request')
  const [there = ''] = await say(ada, space.general, 1)
  const hidden = { room_id: space.general, target_id: eve.id, target_type: 1, allow_flags: 0 }
  await insertOverwrite(server, space.id, { ...hidden, deny_flags: Permission.ViewChannels })
  const kim = await createPerson(server, 'kim')
  assert.equal((await ack(eve, there)).code, 'missing_permission')
  assert.equal((await ack(kim, there)).code, 'not_a_member')
  const path = `/api/rooms/${space.general}/messages/${there}/ack`
  assert.equal((await callAsNobody(server, 'POST', path)).status, 401)
  assert.equal((await ack(ada, there)).status, 204)
})

test('READ-4: acknowledging the newest remaining message reads the room to its end, whatever was deleted after it', async () => {
  const space = await makeSpace(ada, [eve])
  const [first = '', second = '', third = ''] = await say(ada, space.general, 3)
  await ada.client.messages.delete(space.general, third)
  await eve.client.messages.ack(space.general, first)
  assert.equal(await readOf(eve, space.general), 1)
  await eve.client.messages.ack(space.general, second)
  assert.equal(await readOf(eve, space.general), 3)
})

test('READ-5: messages from before a user joined count as read, also when they come back', async () => {
  const space = await makeSpace(ada, [])
  await say(ada, space.general, 2)
  const { code } = await ada.client.invites.create(space.id, space.general)
  const ben = await createPerson(server, 'ben')
  await ben.client.invites.join(code)
  assert.equal(await readOf(ben, space.general), 2)
  await ben.client.members.leave(space.id)
  await say(ada, space.general, 1)
  await ben.client.invites.join(code)
  assert.equal(await readOf(ben, space.general), 3)
})

test('READ-4: a new member has read all earlier messages', async () => {
  const space = await makeSpace(ada)
  await say(ada, space.general, 3)
  await join(eve, ada, space)
  await say(ada, space.general, 1)
  assert.equal(await readOf(eve, space.general), 3)
})

test('READ-5: the newest remaining message reads the room to its end', async () => {
  const space = await makeSpace(ada, [eve])
  const [first = '', second = '', third = ''] = await say(ada, space.general, 3)
  await ada.client.messages.delete(space.general, third)
  await eve.client.messages.ack(space.general, first)
  assert.equal(await readOf(eve, space.general), 1)
  await eve.client.messages.ack(space.general, second)
  assert.equal(await readOf(eve, space.general), 3)
})
