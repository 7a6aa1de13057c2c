import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Events } from '@foyer/protocol/events'
import { Permission } from '@foyer/protocol/permissions'
import type { Gateway } from '@foyer/sdk/gateway'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { type GatewayClient, type Identity, identify, openSession, resume } from '#test/gateway-client.ts'
import { Mirror } from '#test/model/mirror.ts'
import { Wanderer } from '#test/model/wanderer.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { openRelay } from '#test/valkey/relay.ts'

let server: TestServer
let ada: Person
let eve: Person
let identity: Identity
before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  identity = await openSession(server, eve.id)
})
after(() => server.close())

/** Eve goes away, something happens, and she comes back. */
async function miss(what: () => Promise<unknown>): Promise<GatewayClient> {
  const away = await identify(server, identity)
  const { s = '' } = await away.findEvent('READY')
  away.close()
  await what()
  return resume(server, identity, s)
}

function hide(space: TestSpace, roomId: string, hides: boolean) {
  return ada.client.overwrites.upsert(space.id, roomId, {
    target_id: space.id,
    target_type: 0,
    allow_flags: 0,
    deny_flags: hides ? Permission.ViewChannels : 0,
  })
}

/** The space as it was sent last. */
function lastState(client: GatewayClient, spaceId: string): Events['SPACE_CREATE'] | undefined {
  const told = client.heard('SPACE_CREATE').filter(({ text }) => text.includes(`"id":"${spaceId}"`))
  const text = told.at(-1)?.text
  if (text === undefined) return undefined
  const frame: { d: Events['SPACE_CREATE'] } = JSON.parse(text)
  return frame.d
}

test('JOURNAL-5: a client that was away while rooms were hidden and shown receives the space as it is now', async () => {
  const space = await makeSpace(ada, [eve])
  await hide(space, space.lounge, true)
  const client = await miss(async () => {
    await ada.client.messages.create(space.general, { content: 'before it was hidden' })
    await hide(space, space.general, true)
    await ada.client.messages.create(space.general, { content: 'after' })
    await hide(space, space.lounge, false)
    await ada.client.messages.create(space.lounge, { content: 'now for all' })
  })
  const rooms = lastState(client, space.id)?.rooms.map(({ id }) => id)
  assert.deepEqual(
    rooms,
    (await eve.client.rooms.list(space.id)).map(({ id }) => id),
  )
  assert.deepEqual([rooms?.includes(space.general), rooms?.includes(space.lounge)], [false, true])
  const contents = client.heard('MESSAGE_CREATE').map(({ text }) => /"content":"([^"]*)"/.exec(text)?.[1])
  assert.deepEqual(contents, ['now for all'])
  const order = client.frames.map(({ t }) => t)
  assert.ok(order.indexOf('SPACE_CREATE') < order.indexOf('MESSAGE_CREATE'), 'the room is known first')
  client.close()
})

test('JOURNAL-5: a space is sent again once, before all events of the rooms that it shows', async () => {
  const space = await makeSpace(ada, [eve])
  await hide(space, space.lounge, true)
  const topic = topicOf.room(space.id, space.lounge)
  const more = Array.from({ length: 600 }, () => ({ topic, name: 'X', data: '{}' }))
  const client = await miss(async () => {
    await ada.client.messages.create(space.lounge, { content: 'while it was hidden' })
    await hide(space, space.general, true)
    await server.deps.database.transaction(async (transaction) => {
      for (const event of more) transaction.publish(event)
    })
    await hide(space, space.lounge, false)
  })
  const names = client.frames.map(({ t, text }) => (text.includes(space.id) ? t : undefined))
  const told = names.filter((name) => name === 'SPACE_CREATE')
  assert.equal(told.length, 1)
  assert.ok(names.indexOf('SPACE_CREATE') < names.indexOf('MESSAGE_CREATE'), 'the room is known first')
  assert.equal(client.heard('X').length, more.length)
  client.close()
})

test('JOURNAL-5: a user who was given or lost a role receives the space again', async () => {
  const space = await makeSpace(ada, [eve])
  await hide(space, space.general, true)
  const role = await ada.client.roles.create(space.id, {
    name: 'Admin',
    permissions: Permission.Administrator,
  })
  const given = await miss(() => ada.client.roles.assign(space.id, eve.id, role.id))
  assert.deepEqual(lastState(given, space.id)?.member.roles, [role.id])
  assert.equal(lastState(given, space.id)?.rooms.length, space.rooms.length)
  given.close()
  const taken = await miss(() => ada.client.roles.delete(space.id, role.id))
  assert.deepEqual(lastState(taken, space.id)?.member.roles, [])
  assert.equal(lastState(taken, space.id)?.rooms.length, space.rooms.length - 1)
  taken.close()
})

test('JOURNAL-5: a space without such a change is not sent again', async () => {
  const space = await makeSpace(ada, [eve])
  // The replay begins 15 s before the client's position, when the space was just joined.
  await server.deps.database.execute({
    name: '',
    text: 'delete from events where tenant_id = any($1)',
    values: [[space.id, eve.id]],
  })
  const client = await miss(() => ada.client.messages.create(space.general, { content: 'hello' }))
  assert.equal(lastState(client, space.id), undefined)
  assert.ok(client.heard('MESSAGE_CREATE').some(({ text }) => text.includes(space.general)))
  client.close()
})

test('JOURNAL-6: changes that the client already knows to be reverted are not repeated', async () => {
  const space = await makeSpace(ada, [eve])
  const role = await ada.client.roles.create(space.id, { name: 'Short-lived' })
  const wanderer = new Wanderer(server, eve.id)
  const mirror = new Mirror(eve.id, wanderer.events, space.id)
  await wanderer.comeBack()
  assert.ok(mirror.roles.has(role.id), 'from READY')
  await ada.client.roles.delete(space.id, role.id)
  await ada.client.spaces.update(space.id, { description: 'deleted' })
  await mirror.reach('deleted')
  wanderer.goAway()
  await wanderer.comeBack()
  assert.deepEqual([...mirror.roles.keys()], [space.id])
  wanderer.goAway()
})

test('JOURNAL-5: a user who left and rejoined while away has none of the earlier roles', async () => {
  const space = await makeSpace(ada, [eve])
  const { code } = await ada.client.invites.create(space.id, space.general)
  const role = await ada.client.roles.create(space.id, { name: 'Regular' })
  const wanderer = new Wanderer(server, eve.id)
  const mirror = new Mirror(eve.id, wanderer.events, space.id)
  await wanderer.comeBack()
  wanderer.goAway()
  await ada.client.roles.assign(space.id, eve.id, role.id)
  await eve.client.members.leave(space.id)
  await eve.client.invites.join(code)
  await wanderer.comeBack()
  assert.deepEqual([mirror.isIn, mirror.ownRoles], [true, []])
  wanderer.goAway()
})

test('GATEWAY-17: the end of a space is sent to users who were away', async () => {
  const space = await makeSpace(ada, [eve])
  const client = await miss(async () => {
    await ada.client.messages.create(space.general, { content: 'farewell' })
    await ada.client.spaces.delete(space.id)
  })
  assert.deepEqual(
    client.heard('SPACE_DELETE').map(({ d }) => d),
    [{ space_id: space.id }],
  )
  assert.equal(lastState(client, space.id), undefined)
  assert.deepEqual(
    client.heard('MESSAGE_CREATE').filter(({ text }) => text.includes('farewell')),
    [],
  )
  client.close()
})

test('JOURNAL-5: a user who left and rejoined while away is in the space afterwards', async () => {
  const space = await makeSpace(ada, [eve])
  const { code } = await ada.client.invites.create(space.id, space.general)
  const client = await miss(async () => {
    await eve.client.members.leave(space.id)
    await eve.client.invites.join(code)
  })
  assert.ok(lastState(client, space.id))
  assert.deepEqual(
    client.heard('SPACE_DELETE').filter(({ text }) => text.includes(space.id)),
    [],
  )
  await ada.client.messages.create(space.general, { content: 'welcome back' })
  await client.findEvent('MESSAGE_CREATE')
  client.close()
})

test('JOURNAL-2: a change of access during the replay applies to it', async () => {
  const space = await makeSpace(ada, [eve])
  let hiding: Promise<unknown> = Promise.resolve()
  const client = await miss(async () => {
    const contents = Array.from({ length: 60 }, (_, index) => `missed ${index}`)
    for (const content of contents) await ada.client.messages.create(space.general, { content })
    // The client asks to resume while this is on its way.
    hiding = hide(space, space.general, true)
  })
  await hiding
  await ada.client.messages.create(space.general, { content: 'not for eve' })
  await client.settle()
  assert.ok(client.frames.every(({ text }) => !text.includes('not for eve')))
  client.close()
})

test('SDK-6: what a client knows of a message is not undone by a replay from before it could see the room', async () => {
  const zoe = await createPerson(server, 'zoe')
  const space = await makeSpace(ada, [zoe])
  const relay = await openRelay(Number(new URL(server.url).port))
  const { gateway } = zoe.at({ url: `http://127.0.0.1:${relay.port}` }).client
  const messages = new Map<string, string>()
  gateway.on('MESSAGE_CREATE', ({ id, content }) => messages.set(id, content))
  gateway.on('MESSAGE_UPDATE', ({ id, content }) => messages.set(id, content))
  gateway.on('MESSAGE_DELETE', ({ id }) => void messages.delete(id))
  try {
    await hide(space, space.general, true)
    const isReady = next(gateway, 'READY')
    gateway.connect()
    await isReady
    const gone = await ada.client.messages.create(space.general, { content: 'not for Zoe' })
    const edited = await ada.client.messages.create(space.general, { content: 'first version' })
    const isShown = next(gateway, 'ROOM_CREATE')
    await hide(space, space.general, false)
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
    relay.close()
  }
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
