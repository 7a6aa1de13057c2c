import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { CloseCode, Opcode } from '@foyer/protocol/gateway'
import { Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { connect, type GatewayClient, openGateway, openSession, resume } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'

/** Far more than the system buffers for a socket, plus 4 MiB. */
const FLOOD = 300
const CHUNK = JSON.stringify('x'.repeat(128 * 1024))

let server: TestServer
let ada: Person

before(async () => {
  server = await startOwnServer()
  ada = await createPerson(server, 'ada')
})
after(() => server.close())

/** Sends the user's connections large events, each followed by a transient one. */
async function flood(count: number): Promise<void> {
  const topic = topicOf.user(ada.id)
  for (let index = 0; index < count; index += 1) {
    server.deps.bus.emit([
      { id: newId(), topic, audience: 0, name: 'LARGE', data: CHUNK },
      { id: undefined, topic, audience: 0, name: 'PASSING', data: `${index}` },
    ])
    await turn()
  }
}

function countOf(client: GatewayClient, name: string): number {
  return client.heard(name).length
}

test('GATEWAY-9: a slow client first loses events that are not journaled, then the connection with 4008; others lose nothing', async () => {
  const [slow, quick] = [await connect(server, ada), await connect(server, ada)]
  slow.socket.pause()
  await flood(FLOOD)
  slow.socket.resume()
  assert.equal(await slow.closed, CloseCode.TooFastOrTooSlow)
  const [large, passing] = [countOf(slow, 'LARGE'), countOf(slow, 'PASSING')]
  assert.ok(large > passing && large < FLOOD, `${large} large ones and ${passing} passing ones came`)
  await quick.settle()
  assert.deepEqual([countOf(quick, 'LARGE'), countOf(quick, 'PASSING')], [FLOOD, FLOOD])
  quick.close()
})

test('GATEWAY-9: a single long frame does not count as a slow client', async () => {
  const client = await connect(server, ada)
  const data = JSON.stringify('x'.repeat(12 * 1024 * 1024))
  const topic = topicOf.user(ada.id)
  server.deps.bus.emit([{ id: newId(), topic, audience: 0, name: 'HUGE', data }])
  await client.settle()
  assert.equal(countOf(client, 'HUGE'), 1)
  client.close()
})

test('GATEWAY-9: a long replay waits for its client', async () => {
  const identity = await openSession(server, ada.id)
  const place = newId()
  const topic = topicOf.user(ada.id)
  await server.deps.database.transaction(async (transaction) => {
    for (let index = 0; index < 200; index += 1) transaction.publish({ topic, name: 'LARGE', data: CHUNK })
  })
  const client = await resume(server, identity, place)
  assert.equal(countOf(client, 'LARGE'), 200)
  assert.ok(client.frames.every(({ op }) => op !== Opcode.InvalidSession))
  await client.settle()
  client.close()
})

test('JOURNAL-2: a room hidden while its replay waits for the client is not replayed any further', async () => {
  const eve = await createPerson(server, 'eve')
  const space = await makeSpace(ada, [eve])
  const identity = await openSession(server, eve.id)
  const place = newId()
  const topic = topicOf.room(space.id, space.general)
  await server.deps.database.transaction(async (transaction) => {
    for (let index = 0; index < FLOOD; index += 1) transaction.publish({ topic, name: 'LARGE', data: CHUNK })
  })
  const client = await openGateway(server)
  client.send(Opcode.Resume, { ...identity, s: place })
  await client.findEvent('LARGE')
  client.socket.pause()
  const deny = { allow_flags: 0, deny_flags: Permission.ViewChannels }
  const hidden = { target_id: space.id, target_type: 0, ...deny }
  await ada.client.overwrites.upsert(space.id, space.general, hidden)
  client.socket.resume()
  await client.findEvent('RESUMED')
  assert.ok(countOf(client, 'LARGE') < FLOOD, `${countOf(client, 'LARGE')} came`)
  assert.equal((await client.findEvent('ROOM_DELETE')).s, undefined)
  client.close()
})
