import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { ALL_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { callAsNobody, createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { assignRole, insertOverwrite, insertRole, listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { Administrator, ManageChannels, ManageInvites, ViewChannels } = Permission

let server: TestServer
let owner: Person
let guest: Person
let stranger: Person
let space: TestSpace
let texts: string

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  guest = await createPerson(server, 'guest')
  stranger = await createPerson(server, 'stranger')
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner, [guest])
  texts = space.rooms[0]?.id ?? ''
})

const pathOf = (roomId: string) => `/api/spaces/${space.id}/rooms/${roomId}`

interface PublishedEvent {
  kind: string
  channel_id: string
  name: string
  audience: number
}

/** Returns all events of the space, in order. */
function listPublished(): Promise<PublishedEvent[]> {
  return server.deps.database.query<PublishedEvent>(sql`
    select kind, channel_id, name, audience from events where tenant_id = ${space.id} order by id`)
}

function overwrite(allow_flags: number, deny_flags: number): Promise<void> {
  const target = { room_id: space.general, target_id: guest.id, target_type: 1 }
  return insertOverwrite(server, space.id, { ...target, allow_flags, deny_flags })
}

test('ROOM-5: deleting a room requires ManageChannels and ViewChannels in that room', async () => {
  const roleId = await insertRole(server, space.id, { permissions: 0, position: 1 })
  await assignRole(server, { spaceId: space.id, userId: guest.id, roleId })
  assert.equal((await guest.call('DELETE', pathOf(space.general))).code, 'missing_permission')
  await server.deps.database.execute(sql`
    update roles set permissions = ${ALL_PERMISSIONS & ~Administrator}
    where space_id = ${space.id} and id = ${roleId}`)
  await overwrite(0, ViewChannels)
  assert.equal((await guest.call('DELETE', pathOf(space.general))).code, 'missing_permission')
  assert.equal((await owner.client.rooms.list(space.id)).length, 4)
  assert.equal((await guest.call('DELETE', pathOf(space.lounge))).status, 204)
  assert.equal((await owner.client.rooms.list(space.id)).length, 3)
})

test('ROOM-5: permission in the room is enough to delete it, for bots as well', async () => {
  await overwrite(ManageChannels, 0)
  assert.equal((await guest.call('DELETE', pathOf(space.lounge))).code, 'missing_permission')
  assert.equal((await guest.call('DELETE', pathOf(space.general))).status, 204)
  const bot = await createBot(server, 'builder')
  await server.deps.database.execute(
    sql`insert into members (space_id, user_id) values (${space.id}, ${bot.id})`,
  )
  const roleId = await insertRole(server, space.id, { permissions: ManageChannels, position: 1 })
  await assignRole(server, { spaceId: space.id, userId: bot.id, roleId })
  await bot.client.rooms.delete(space.id, space.lounge)
  assert.equal((await owner.client.rooms.list(space.id)).length, 2)
})

test('ROOM-5: a room that is not in the space is 404, and is not deleted', async () => {
  const other = await makeSpace(stranger)
  for (const roomId of [other.general, newId(), space.id]) {
    for (const person of [owner, guest]) {
      const answer = await person.call('DELETE', pathOf(roomId))
      assert.deepEqual([answer.status, answer.code], [404, 'unknown_room'])
    }
  }
  for (const roomId of [space.general, newId()])
    assert.equal((await stranger.call('DELETE', pathOf(roomId))).code, 'not_a_member')
  assert.equal((await owner.call('DELETE', pathOf('x'))).status, 400)
  assert.equal((await stranger.client.rooms.list(other.id)).length, 4)
  const { status, body } = await owner.call('DELETE', pathOf(space.general))
  assert.deepEqual([status, body], [204, undefined])
  assert.equal((await owner.call('DELETE', pathOf(space.general))).code, 'unknown_room')
})

test('ROOM-9: rooms of a deleted category stay, without one', async () => {
  await owner.client.rooms.delete(space.id, texts)
  const rooms = await owner.client.rooms.list(space.id)
  assert.deepEqual(
    rooms.map(({ name, parent_id, position }) => [name, parent_id, position]),
    [
      ['general', null, 0],
      ['Voice rooms', null, 1],
      ['lounge', rooms[1]?.id, 2],
    ],
  )
  const before = new Map(space.rooms.map(({ id, updated_at }) => [id, updated_at]))
  for (const { id, updated_at } of rooms) assert.equal(updated_at, before.get(id))
})

test('ROOM-9: the deletion is sent before everything that follows from it', async () => {
  const invites = [
    await owner.client.invites.create(space.id, texts),
    await guest.client.invites.create(space.id, texts),
  ]
  const expired = await owner.client.invites.create(space.id, texts, { max_age: 60 })
  await server.deps.database.execute(
    sql`update invites set expires_at = now() where space_id = ${space.id} and id = ${expired.id}`,
  )
  const before = await listPublished()
  await owner.client.rooms.delete(space.id, texts)
  const [, , voices, lounge] = space.rooms.map(({ id }) => id)
  const toRoom = (channel_id: string | undefined, name: string) => ({
    kind: 'room',
    channel_id,
    name,
    audience: 0,
  })
  const toSpace = { kind: 'space', channel_id: space.id }
  const invite = { ...toSpace, name: 'SPACE_INVITE_DELETE', audience: ManageInvites }
  assert.deepEqual((await listPublished()).slice(before.length), [
    toRoom(texts, 'ROOM_DELETE'),
    { kind: 'access', channel_id: space.id, name: 'SPACE_ACCESS_CHANGE', audience: 0 },
    toRoom(space.general, 'ROOM_UPDATE'),
    toRoom(voices, 'ROOM_UPDATE'),
    toRoom(lounge, 'ROOM_UPDATE'),
    invite,
    invite,
    { ...toSpace, name: 'AUDIT_LOG_ENTRY_CREATE', audience: -Capability.ViewAuditLog },
  ])
  const [deleted] = await listJournal(server, topicOf.room(space.id, texts))
  assert.deepEqual(deleted?.data, { space_id: space.id, room_id: texts })
  const told = (await listJournal(server, topicOf.space(space.id))).slice(-2).map(({ data }) => data)
  const ids = invites.map(({ id, code }) => ({ space_id: space.id, invite_id: id, code }))
  assert.deepEqual(told, ids)
  const rooms = await owner.client.rooms.list(space.id)
  const update = (await listJournal(server, topicOf.room(space.id, space.general))).at(-1)
  assert.deepEqual(update?.data, rooms[0])
})

test('ROOM-9: its invites are gone, and those to other rooms keep working', async () => {
  const gone = await owner.client.invites.create(space.id, space.general, { max_age: 60 })
  const kept = await owner.client.invites.create(space.id, space.lounge)
  await owner.client.rooms.delete(space.id, space.general)
  assert.equal((await callAsNobody(server, 'GET', `/api/invites/${gone.code}`)).code, 'unknown_invite')
  assert.equal((await stranger.call('POST', `/api/invites/${gone.code}`)).code, 'unknown_invite')
  assert.deepEqual(await owner.client.invites.list(space.id), [kept])
  const revoked = await owner.call('DELETE', `/api/spaces/${space.id}/invites/${gone.id}`)
  assert.equal(revoked.code, 'unknown_invite')
  const invited = await owner.call('POST', `${pathOf(space.general)}/invites`)
  assert.deepEqual([invited.status, invited.code], [404, 'unknown_room'])
  await stranger.client.invites.join(kept.code)
})

test('ROOM-9: only those who could view the room receive its end, once', async () => {
  await overwrite(0, ViewChannels)
  const [listener, outsider] = [await connect(server, owner), await connect(server, guest)]
  await owner.client.rooms.delete(space.id, space.general)
  const heard = await listener.findEvent('ROOM_DELETE')
  assert.deepEqual(heard.d, { space_id: space.id, room_id: space.general })
  for (const client of [listener, outsider]) {
    await client.find(({ t, text }) => t === 'ROOM_UPDATE' && text.includes(space.lounge))
    await client.settle()
  }
  assert.equal(listener.heard('ROOM_DELETE').length, 1)
  assert.ok(outsider.frames.every(({ t, text }) => t === 'READY' || !text.includes(space.general)))
  for (const client of [listener, outsider]) client.close()
})

test('ROOM-10: nobody can read or write anything of the room any more', async () => {
  const { id } = await guest.client.messages.create(space.general, { content: 'hi', nonce: 'n' })
  const messages = `/api/rooms/${space.general}/messages`
  const asked: [string, string, unknown?][] = [
    ['GET', messages],
    ['POST', messages, { content: 'x' }],
    ['POST', messages, { content: 'hi', nonce: 'n' }],
    ['GET', `${messages}/${id}`],
    ['PATCH', `${messages}/${id}`, { content: 'x' }],
    ['DELETE', `${messages}/${id}`],
    ['POST', `${messages}/${id}/ack`],
    ['POST', `/api/rooms/${space.general}/typing`],
    ['PATCH', pathOf(space.general), { name: 'x' }],
    ['POST', `${pathOf(space.general)}/invites`],
  ]
  await owner.client.rooms.delete(space.id, space.general)
  for (const person of [owner, guest]) {
    const answers = await Promise.all(asked.map(([method, path, body]) => person.call(method, path, body)))
    for (const { status, code } of answers) assert.deepEqual([status, code], [404, 'unknown_room'])
  }
})

test('GATEWAY-15: ROOM_DELETE of a deleted room has a position in the journal, unlike that of a lost one', async () => {
  const listener = await connect(server, guest)
  const hidden = { target_id: guest.id, target_type: 1, allow_flags: 0, deny_flags: ViewChannels }
  await owner.client.overwrites.upsert(space.id, space.general, hidden)
  const lost = await listener.findEvent('ROOM_DELETE')
  await owner.client.rooms.delete(space.id, space.lounge)
  const deleted = await listener.find(({ t, text }) => t === 'ROOM_DELETE' && text.includes(space.lounge))
  assert.deepEqual([lost.s, typeof deleted.s], [undefined, 'string'])
  listener.close()
})

test('ROOM-9: every room may be deleted, including the last', async () => {
  for (const { id } of space.rooms) await owner.client.rooms.delete(space.id, id)
  assert.deepEqual(await guest.client.rooms.list(space.id), [])
  assert.equal((await owner.client.rooms.create(space.id, { name: 'first', type: 1 })).position, 0)
})
