import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { insertEvents } from '#src/kernel/journal/insert-events.ts'
import { type GatewayClient, openSession, resume } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { insertOverwrite } from '#test/scenes/space-rows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let others: Person[]

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  others = await Promise.all(['eve', 'kim', 'ben'].map((name) => createPerson(server, name)))
})
after(() => server.close())

function contents(client: GatewayClient, place: string): string[] {
  const missed = client.heard('MESSAGE_CREATE').filter(({ s = '' }) => s > place)
  return missed.map(({ text }) => JSON.parse(text).d.content)
}

/** All at once, from the same position. */
async function comeBack(people: readonly Person[], place: string): Promise<GatewayClient[]> {
  const identities = await Promise.all(people.map(({ id }) => openSession(server, id)))
  const clients = await Promise.all(identities.map((identity) => resume(server, identity, place)))
  for (const client of clients) client.close()
  return clients
}

test('ADMISSION-8: clients that resume together each receive exactly what they may receive', async () => {
  const [eve, kim, ben] = others
  assert.ok(eve && kim && ben)
  const [shared, own] = [await makeSpace(ada, [eve, kim]), await makeSpace(ada, [kim, ben])]
  const hidden = { room_id: shared.lounge, target_id: kim.id, target_type: 1, allow_flags: 0 }
  await insertOverwrite(server, shared.id, { ...hidden, deny_flags: Permission.ViewChannels })
  const place = newId()
  const rooms = { shared: shared.general, hidden: shared.lounge, own: own.general }
  for (const [content, roomId] of Object.entries(rooms)) await ada.client.messages.create(roomId, { content })
  const heard = (await comeBack([ada, eve, kim, ben], place)).map((client) => contents(client, place))
  assert.deepEqual(heard, [['shared', 'hidden', 'own'], ['shared', 'hidden'], ['shared', 'own'], ['own']])
})

test('ADMISSION-8: a client that missed more than is read for all of them receives it all the same, in order', async () => {
  const [eve, kim] = others
  assert.ok(eve && kim)
  const space = await makeSpace(ada, [eve, kim])
  const place = newId()
  const topic = topicOf.user(eve.id)
  const told = (index: number) => ({ id: newId(), topic, audience: 0, name: 'TOLD', data: `${index}` })
  const missed = Array.from({ length: 1500 }, (_, index) => told(index))
  await server.deps.database.execute(insertEvents(missed))
  await ada.client.messages.create(space.general, { content: 'behind it' })
  const [hers, his] = await comeBack([eve, kim], place)
  assert.ok(hers && his)
  assert.deepEqual(
    hers.heard('TOLD').map(({ s }) => s),
    missed.map(({ id }) => id),
  )
  assert.equal(hers.frames.at(-2)?.t, 'MESSAGE_CREATE')
  assert.deepEqual([contents(hers, place), contents(his, place)], [['behind it'], ['behind it']])
  assert.equal(his.heard('TOLD').length, 0)
})
