import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Events } from '@foyer/protocol/events'
import { Permission } from '@foyer/protocol/permissions'
import type { Gateway } from '@foyer/sdk/gateway'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { openRelay, type Relay } from '#test/valkey/relay.ts'

let server: TestServer
let relay: Relay
let ada: Person
let eve: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  relay = await openRelay(Number(new URL(server.url).port))
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  space = await makeSpace(ada, [eve])
})
after(async () => {
  relay?.close()
  await server?.close()
})

/** Resolves with the next event of that name. */
function next<Name extends keyof Events>(gateway: Gateway, name: Name): Promise<Events[Name]> {
  return new Promise((resolve) => {
    const stop = gateway.on(name, (data) => {
      stop()
      resolve(data)
    })
  })
}

function hide(hides: boolean) {
  return ada.client.overwrites.upsert(space.id, space.general, {
    target_id: space.id,
    target_type: 0,
    allow_flags: 0,
    deny_flags: hides ? Permission.ViewChannels : 0,
  })
}

test('SDK-6: what a client knows of a message is not undone by a replay from before it could see the room', async () => {
  const { gateway } = eve.at({ url: `http://127.0.0.1:${relay.port}` }).client
  const messages = new Map<string, string>()
  gateway.on('MESSAGE_CREATE', ({ id, content }) => messages.set(id, content))
  gateway.on('MESSAGE_UPDATE', ({ id, content }) => messages.set(id, content))
  gateway.on('MESSAGE_DELETE', ({ id }) => void messages.delete(id))
  try {
    await hide(true)
    const isReady = next(gateway, 'READY')
    gateway.connect()
    await isReady
    const gone = await ada.client.messages.create(space.general, { content: 'not for Eve' })
    const edited = await ada.client.messages.create(space.general, { content: 'first version' })
    const isShown = next(gateway, 'ROOM_CREATE')
    await hide(false)
    await isShown
    const isDeleted = next(gateway, 'MESSAGE_DELETE')
    await ada.client.messages.update(space.general, edited.id, { content: 'second version' })
    await ada.client.messages.delete(space.general, gone.id)
    await isDeleted
    const isResumed = next(gateway, 'RESUMED')
    relay.cut()
    relay.mend()
    await isResumed
    assert.deepEqual([...messages], [[edited.id, 'second version']])
  } finally {
    gateway.close()
  }
})
