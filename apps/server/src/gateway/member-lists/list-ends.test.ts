import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import { MAX_SEEN_LISTS } from '@foyer/protocol/limits'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { holdRead } from '#test/locks/held-read.ts'
import { look } from '#test/scenes/member-lists.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
})
after(() => server.close())

function listsOf(client: GatewayClient): string[] {
  return client.heard('SPACE_MEMBER_LIST_UPDATE').map(({ text }) => JSON.parse(text).d.space_id)
}

test('LIST-4: the list of a deleted space ends, and no longer counts for its connection', async () => {
  const [gone, kept] = [await makeSpace(ada, [eve]), await makeSpace(eve)]
  const spaces = await Promise.all(Array.from({ length: MAX_SEEN_LISTS - 1 }, () => makeSpace(eve)))
  const [hers, his] = [await connect(server, ada), await connect(server, eve)]
  for (const { id } of [gone, ...spaces]) look(his, id)
  await his.find(() => new Set(listsOf(his)).size === MAX_SEEN_LISTS, 'all lists')
  await ada.client.spaces.delete(gone.id)
  await his.findEvent('SPACE_DELETE')
  const before = listsOf(his).length
  look(his, kept.id)
  await his.find(() => listsOf(his).includes(kept.id), 'one more list')
  hers.send(Opcode.PresenceUpdate, { status: 'dnd', custom: 'not for eve' })
  await hers.settle()
  await his.settle()
  assert.equal(listsOf(his).slice(before).includes(gone.id), false)
  assert.doesNotMatch(his.frames.map(({ text }) => text).join(), /not for eve/)
  hers.close()
  his.close()
})

test('LIST-6: simultaneous subscriptions do not exceed the limit', async () => {
  const spaces = await Promise.all(Array.from({ length: MAX_SEEN_LISTS + 2 }, () => makeSpace(eve)))
  const client = await connect(server, eve)
  for (const { id } of spaces) look(client, id)
  const answers = () =>
    client.frames.filter(({ op, t }) => op === Opcode.Error || t === 'SPACE_MEMBER_LIST_UPDATE')
  await client.find(() => answers().length === spaces.length, 'an answer to each')
  assert.equal(listsOf(client).length, MAX_SEEN_LISTS)
  client.close()
})

test('LIST-2: a block created while a list is loaded applies to it, too', async (context) => {
  const space = await makeSpace(ada, [eve])
  const [hers, his] = [await connect(server, ada), await connect(server, eve)]
  const read = holdRead(context, server, 'select blocked_id as id from blocks', 'behind')
  look(his, space.id)
  await read.asked
  await ada.client.friends.block(eve.id)
  read.release()
  await his.findEvent('SPACE_MEMBER_LIST_UPDATE')
  hers.send(Opcode.PresenceUpdate, { status: 'dnd', custom: 'not for eve' })
  await Promise.all([hers.settle(), his.settle()])
  assert.doesNotMatch(his.frames.map(({ text }) => text).join(), /"dnd"|not for eve|"online_count":2/)
  await ada.client.friends.unblock(eve.id)
  await his.find(({ text }) => text.includes('not for eve'), 'the presence of who blocks no more')
  hers.close()
  his.close()
})

test('LIST-3: a client that subscribes as soon as it receives the space gets the list', async (context) => {
  const space = await makeSpace(ada)
  const his = await connect(server, eve)
  const entrance = holdRead(context, server, 'from voice_states left join members')
  await join(eve, ada, space)
  await his.findEvent('SPACE_CREATE')
  await entrance.asked
  look(his, space.id)
  await his.settle()
  entrance.release()
  await his.find(() => listsOf(his).includes(space.id), 'the list')
  his.close()
})

test('LIST-3: a user who leaves while subscribing gets no list, but an error', async (context) => {
  const space = await makeSpace(ada, [eve])
  const his = await connect(server, eve)
  const read = holdRead(context, server, 'select blocked_id as id from blocks')
  look(his, space.id)
  await read.asked
  await eve.client.members.leave(space.id)
  await his.findEvent('SPACE_DELETE')
  read.release()
  const { text } = await his.findCommand(Opcode.Error)
  assert.equal(JSON.parse(text).d.code, 'not_a_member')
  assert.deepEqual(listsOf(his), [])
  his.close()
})
