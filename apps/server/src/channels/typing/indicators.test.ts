import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { makeDirect, makeGroup } from '#test/scenes/conversations.ts'
import { callAsNobody, createPerson, type Person } from '#test/scenes/people.ts'
import { insertOverwrite } from '#test/scenes/space-rows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let kim: Person
let open: GatewayClient[] = []

before(async () => {
  server = await startOwnServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  kim = await createPerson(server, 'kim')
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

test('NOTICE-1: one indicator of a kind passes every 2 seconds per user and room, and the answer is always 204', async (context) => {
  const { id, general, lounge } = await makeSpace(ada, [eve])
  const client = await listen(ada)
  const tell = (person: Person, room: string, kind: string) =>
    person.call('POST', `/api/rooms/${room}/${kind}`)
  // A whole number: adding to a fraction and subtracting again may give another.
  let now = Math.round(performance.now())
  context.mock.method(performance, 'now', () => now)
  for (let round = 0; round < 3; round += 1) {
    const answers = [
      await tell(eve, general, 'typing'),
      await tell(eve, general, 'recording'),
      await tell(eve, lounge, 'typing'),
      await tell(ada, general, 'typing'),
    ]
    for (const { status, body } of answers) assert.deepEqual([status, body], [204, undefined])
  }
  await client.settle()
  const told = () => client.frames.filter(({ t }) => t === 'TYPING_START' || t === 'RECORDING_START')
  const place = { conversation_id: null, space_id: id }
  assert.deepEqual(
    told().map(({ t, d, s }) => [t, d, s]),
    [
      ['TYPING_START', { room_id: general, ...place, user_id: eve.id }, undefined],
      ['RECORDING_START', { room_id: general, ...place, user_id: eve.id }, undefined],
      ['TYPING_START', { room_id: lounge, ...place, user_id: eve.id }, undefined],
      ['TYPING_START', { room_id: general, ...place, user_id: ada.id }, undefined],
    ],
  )
  now += 1999
  await tell(eve, general, 'typing')
  await client.settle()
  assert.equal(told().length, 4)
  now += 1
  await tell(eve, general, 'typing')
  await client.settle()
  assert.equal(told().length, 5)
})

test('NOTICE-1: each conversation counts separately, and its indicators reach those who list it', async () => {
  const direct = await makeDirect(server, ada, eve)
  const group = await makeGroup(server, ada, [eve, kim])
  const [hers, his] = [await listen(ada), await listen(kim)]
  for (const { id } of [direct, group]) {
    for (const kind of ['typing', 'typing', 'recording', 'recording'] as const)
      await eve.client.messages[kind]({ conversation: id })
  }
  await Promise.all([hers.settle(), his.settle()])
  const told = (client: GatewayClient) =>
    [...client.heard('TYPING_START'), ...client.heard('RECORDING_START')].map(({ t, d, s }) => [t, d, s])
  const noticeOf = (id: string) => ({ room_id: null, conversation_id: id, space_id: null, user_id: eve.id })
  const both = (ids: string[]) =>
    ['TYPING_START', 'RECORDING_START'].flatMap((name) => ids.map((id) => [name, noticeOf(id), undefined]))
  assert.deepEqual([told(hers), told(his)], [both([direct.id, group.id]), both([group.id])])
})

test('NOTICE-2: an indicator reaches only those who may view the room', async () => {
  const space = await makeSpace(ada, [eve, kim])
  const hidden = { room_id: space.general, target_id: kim.id, target_type: 1, allow_flags: 0 }
  await insertOverwrite(server, space.id, { ...hidden, deny_flags: Permission.ViewChannels })
  const [viewer, blind] = [await listen(ada), await listen(kim)]
  await eve.client.messages.recording(space.general)
  await eve.client.messages.typing(space.lounge)
  await Promise.all([viewer.settle(), blind.settle()])
  assert.deepEqual([viewer.heard('RECORDING_START').length, viewer.heard('TYPING_START').length], [1, 1])
  assert.deepEqual([blind.heard('RECORDING_START').length, blind.heard('TYPING_START').length], [0, 1])
})

test('NOTICE-3: users who may not send in the room cannot send indicators to it', async () => {
  const space = await makeSpace(ada, [eve])
  const muted = { room_id: space.general, target_id: eve.id, target_type: 1, allow_flags: 0 }
  await insertOverwrite(server, space.id, { ...muted, deny_flags: Permission.SendMessages })
  const client = await listen(ada)
  for (const kind of ['typing', 'recording']) {
    const path = `/api/rooms/${space.general}/${kind}`
    const answers = [
      await callAsNobody(server, 'POST', path),
      await kim.call('POST', path),
      await eve.call('POST', path),
    ]
    assert.deepEqual(
      answers.map(({ code }) => code),
      ['authentication_required', 'not_a_member', 'missing_permission'],
    )
  }
  await client.settle()
  assert.ok(client.frames.every(({ t }) => t === undefined || t === 'READY'))
  await ada.client.messages.typing(space.general)
  await client.findEvent('TYPING_START')
})
