import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ALL_PERMISSIONS, DEFAULT_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { ViewChannels } = Permission

let server: TestServer
let ada: Person
let eve: Person
let kim: Person
before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  kim = await createPerson(server, 'kim')
})
after(() => server.close())

interface Overwrite {
  target: string
  type?: number
  allow?: number
  deny?: number
}

function overwrite(space: TestSpace, { target, type = 0, allow = 0, deny = 0 }: Overwrite) {
  const flags = { allow_flags: allow, deny_flags: deny }
  const body = { target_id: target, target_type: type, ...flags }
  return ada.client.overwrites.upsert(space.id, space.general, body)
}

/** Returns the room's events that the connection received since the last call, in order. */
function reader(client: GatewayClient, roomId: string) {
  let read = client.frames.length
  return async () => {
    await client.settle()
    const frames = client.frames.slice(read).filter(({ t, text }) => t !== undefined && text.includes(roomId))
    read = client.frames.length
    return frames.map(({ t }) => t)
  }
}

async function say(space: TestSpace, listener: GatewayClient, content: string): Promise<void> {
  await ada.client.messages.create(space.general, { content })
  await listener.find(({ t, text }) => t === 'MESSAGE_CREATE' && text.includes(content))
}

test('GATEWAY-15: a user who loses a room receives ROOM_DELETE and nothing more; one who gains it receives everything from then on', async () => {
  const space = await makeSpace(ada, [eve, kim])
  const [own, hers, others] = [
    await connect(server, ada),
    await connect(server, eve),
    await connect(server, kim),
  ]
  const [toEve, toKim] = [reader(hers, space.general), reader(others, space.general)]
  await overwrite(space, { target: eve.id, type: 1, deny: ViewChannels })
  await say(space, own, 'not for eve')
  assert.deepEqual(await toEve(), ['ROOM_DELETE'])
  assert.deepEqual(await toKim(), ['ROOM_OVERWRITE_UPDATE', 'MESSAGE_CREATE'])
  assert.deepEqual(
    hers.heard('ROOM_DELETE').map(({ d }) => d),
    [{ space_id: space.id, room_id: space.general }],
  )
  await ada.client.rooms.update(space.id, space.general, { name: 'renamed' })
  await overwrite(space, { target: eve.id, type: 1, allow: ViewChannels })
  await hers.findEvent('ROOM_CREATE')
  await say(space, own, 'for eve again')
  assert.deepEqual(await toEve(), [
    'ROOM_CREATE',
    'ROOM_OVERWRITE_UPDATE',
    'ROOM_OVERWRITE_UPDATE',
    'MESSAGE_CREATE',
  ])
  const [room] = hers.heard('ROOM_CREATE')
  assert.partialDeepStrictEqual(room?.d, { id: space.general, name: 'renamed', last_seq: 1 })
  assert.ok(hers.frames.every(({ text }) => !text.includes('not for eve')))
  for (const client of [own, hers, others]) client.close()
})

test('GATEWAY-15: events about gained and lost rooms have no position in the journal', async () => {
  const space = await makeSpace(ada, [eve])
  const hers = await connect(server, eve)
  await overwrite(space, { target: space.id, deny: ViewChannels })
  await overwrite(space, { target: space.id })
  const lost = await hers.findEvent('ROOM_DELETE')
  const gained = await hers.findEvent('ROOM_CREATE')
  assert.deepEqual([lost.s, gained.s], [undefined, undefined])
  hers.close()
})

test('GATEWAY-16: changing, assigning and deleting a role changes the audience', async () => {
  const space = await makeSpace(ada, [eve, kim])
  const [hers, others] = [await connect(server, eve), await connect(server, kim)]
  const [toEve, toKim] = [reader(hers, space.general), reader(others, space.general)]
  const { client } = ada
  const hidden = DEFAULT_PERMISSIONS & ~ViewChannels
  await client.roles.update(space.id, space.id, { permissions: hidden })
  await hers.findEvent('ROOM_DELETE')
  assert.deepEqual([await toEve(), await toKim()], [['ROOM_DELETE'], ['ROOM_DELETE']])
  assert.equal(hers.heard('ROOM_DELETE').length, space.rooms.length)
  const role = await client.roles.create(space.id, { name: 'Seeing', permissions: ViewChannels })
  await client.roles.assign(space.id, eve.id, role.id)
  // A user whose roles change again before they are notified of a gain would have to reconnect.
  const gained = (times: number) =>
    hers.find(() => hers.heard('ROOM_CREATE').length === times * space.rooms.length)
  await gained(1)
  await ada.client.messages.create(space.general, { content: 'for those who see' })
  await hers.findEvent('MESSAGE_CREATE')
  assert.deepEqual([await toEve(), await toKim()], [['ROOM_CREATE', 'MESSAGE_CREATE'], []])
  await client.roles.update(space.id, role.id, { permissions: 0 })
  await client.roles.update(space.id, role.id, { permissions: Permission.Administrator })
  await gained(2)
  await client.roles.remove(space.id, eve.id, role.id)
  await client.roles.assign(space.id, eve.id, role.id)
  await gained(3)
  await client.roles.delete(space.id, role.id)
  await hers.findEvent('SPACE_ROLE_DELETE')
  const told = ['ROOM_DELETE', 'ROOM_CREATE', 'ROOM_DELETE', 'ROOM_CREATE', 'ROOM_DELETE']
  assert.deepEqual([await toEve(), await toKim()], [told, []])
  await client.roles.update(space.id, space.id, { permissions: ALL_PERMISSIONS & ~Permission.Administrator })
  await others.findEvent('ROOM_CREATE')
  assert.deepEqual([await toEve(), await toKim()], [['ROOM_CREATE'], ['ROOM_CREATE']])
  for (const one of [hers, others]) one.close()
})

test('GATEWAY-16: a new owner receives everything, and the previous one what their roles allow', async () => {
  const space = await makeSpace(ada, [eve])
  const [own, hers] = [await connect(server, ada), await connect(server, eve)]
  await overwrite(space, { target: space.id, deny: ViewChannels })
  await hers.findEvent('ROOM_DELETE')
  await own.findEvent('ROOM_OVERWRITE_UPDATE')
  const [toAda, toEve] = [reader(own, space.general), reader(hers, space.general)]
  await ada.client.spaces.transfer(space.id, { user_id: eve.id })
  await hers.findEvent('SPACE_UPDATE')
  await own.findEvent('SPACE_UPDATE')
  assert.deepEqual(await toAda(), ['ROOM_DELETE'])
  assert.deepEqual(await toEve(), ['ROOM_CREATE', 'ROOM_OVERWRITE_UPDATE'])
  for (const one of [own, hers]) one.close()
})

test('GATEWAY-16: a created or deleted room is sent once, to those who may view it', async () => {
  const space = await makeSpace(ada, [eve, kim])
  const hers = await connect(server, eve)
  const { id } = await ada.client.rooms.create(space.id, { name: 'new', type: 1 })
  await ada.client.messages.create(id, { content: 'first' })
  await hers.findEvent('MESSAGE_CREATE')
  await ada.client.overwrites.upsert(space.id, id, {
    target_id: kim.id,
    target_type: 1,
    allow_flags: 0,
    deny_flags: ViewChannels,
  })
  const others = await connect(server, kim)
  const [toEve, toKim] = [reader(hers, id), reader(others, id)]
  await ada.client.rooms.delete(space.id, id)
  await hers.findEvent('ROOM_DELETE')
  assert.deepEqual([await toEve(), await toKim()], [['ROOM_DELETE'], []])
  assert.equal(hers.heard('ROOM_CREATE').length, 1)
  for (const one of [hers, others]) one.close()
})

test('GATEWAY-16: events for a permission follow its changes at once', async () => {
  const space = await makeSpace(ada, [eve])
  const hers = await connect(server, eve)
  await ada.client.invites.create(space.id, space.general)
  const role = await ada.client.roles.create(space.id, {
    name: 'Porter',
    permissions: Permission.ManageInvites,
  })
  await ada.client.roles.assign(space.id, eve.id, role.id)
  const heard = await ada.client.invites.create(space.id, space.general)
  await ada.client.roles.remove(space.id, eve.id, role.id)
  await ada.client.invites.create(space.id, space.general)
  await ada.client.rooms.update(space.id, space.general, { name: 'last' })
  await hers.findEvent('ROOM_UPDATE')
  assert.deepEqual(
    hers.heard('SPACE_INVITE_CREATE').map(({ d }) => d),
    [heard],
  )
  hers.close()
})

test('GATEWAY-17: the end of a space is sent once to all connected members', async () => {
  const space = await makeSpace(ada, [eve])
  const [own, hers] = [await connect(server, ada), await connect(server, eve)]
  await ada.client.spaces.delete(space.id)
  for (const client of [own, hers]) {
    assert.deepEqual((await client.findEvent('SPACE_DELETE')).d, { space_id: space.id })
    await client.settle()
    assert.equal(client.heard('SPACE_DELETE').length, 1)
    client.close()
  }
})
