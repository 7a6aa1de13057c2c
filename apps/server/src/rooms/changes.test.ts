import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { ALL_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import type { Room } from '@foyer/protocol/rooms'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { assignRole, insertOverwrite, insertRole, listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { Administrator, ManageChannels, ViewChannels } = Permission

let server: TestServer
let owner: Person
let guest: Person
let stranger: Person
let space: TestSpace
let texts: string
let voices: string

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
  voices = space.rooms[2]?.id ?? ''
})

const pathOf = (roomId: string) => `/api/spaces/${space.id}/rooms/${roomId}`

/** Sets the guest's own permissions in general, whatever their roles allow. */
function overwrite(allow_flags: number, deny_flags: number): Promise<void> {
  const target = { room_id: space.general, target_id: guest.id, target_type: 1 }
  return insertOverwrite(server, space.id, { ...target, allow_flags, deny_flags })
}

async function roomNow(roomId = space.general): Promise<Room | undefined> {
  return (await owner.client.rooms.list(space.id)).find(({ id }) => id === roomId)
}

/** Returns the events of the space's rooms, oldest first. */
async function published(): Promise<unknown[]> {
  const journals = await Promise.all(
    space.rooms.map(({ id }) => listJournal(server, topicOf.room(space.id, id))),
  )
  return journals.flat()
}

test('ROOM-5: changing a room requires ManageChannels and ViewChannels in that room', async () => {
  const change = async (method = 'PATCH') =>
    (await guest.call(method, pathOf(space.general), { name: 'mine' })).code
  assert.equal(await change(), 'missing_permission')
  const all = ALL_PERMISSIONS & ~Administrator
  const roleId = await insertRole(server, space.id, { permissions: all, position: 1 })
  await assignRole(server, { spaceId: space.id, userId: guest.id, roleId })
  assert.deepEqual([await change(), await change('PUT')], [null, null])
  await overwrite(0, ManageChannels)
  assert.equal(await change(), 'missing_permission')
  assert.equal((await guest.call('PATCH', pathOf(space.lounge), { name: 'mine' })).status, 200)
})

test('ROOM-5: permission in the room is enough, but not for a room that the caller may not view', async () => {
  const change = async () => (await guest.call('PATCH', pathOf(space.general), { name: 'mine' })).code
  await overwrite(ManageChannels, 0)
  assert.equal(await change(), null)
  assert.equal((await guest.call('PATCH', pathOf(space.lounge), {})).code, 'missing_permission')
  await insertOverwrite(server, space.id, {
    room_id: space.general,
    target_id: space.id,
    target_type: 0,
    allow_flags: 0,
    deny_flags: ViewChannels,
  })
  assert.equal(await change(), 'missing_permission')
})

test('ROOM-5: a room that is not in the space is 404, for members only', async () => {
  const other = await makeSpace(stranger)
  const foreign = [other.general, newId(), space.id, guest.id]
  for (const roomId of foreign) {
    for (const person of [owner, guest]) {
      const answer = await person.call('PATCH', pathOf(roomId), 'not even JSON')
      assert.deepEqual([answer.status, answer.code], [404, 'unknown_room'])
    }
  }
  for (const roomId of [space.general, ...foreign])
    assert.equal((await stranger.call('PATCH', pathOf(roomId), 'not even JSON')).code, 'not_a_member')
  assert.equal((await owner.call('PATCH', pathOf('x'), {})).status, 400)
  assert.equal((await guest.call('PATCH', pathOf(space.general), 'not even JSON')).code, 'missing_permission')
})

test('ROOM-5: a caller who loses the permission before the change changes nothing', async () => {
  await overwrite(ManageChannels, 0)
  const lock = await holdLock(
    server,
    sql`with gone as (delete from room_overwrites where space_id = ${space.id})
      select from spaces where id = ${space.id} for no key update`,
  )
  const changed = guest.call('PATCH', pathOf(space.general), { name: 'late' })
  await lock.waitForBlocked(1)
  await lock.release()
  assert.equal((await changed).code, 'missing_permission')
  assert.equal((await roomNow())?.name, 'general')
})

test('ROOM-5: bots may change rooms', async () => {
  const bot = await createBot(server, 'builder')
  await server.deps.database.execute(
    sql`insert into members (space_id, user_id) values (${space.id}, ${bot.id})`,
  )
  const roleId = await insertRole(server, space.id, { permissions: ManageChannels, position: 1 })
  await assignRole(server, { spaceId: space.id, userId: bot.id, roleId })
  assert.equal((await bot.client.rooms.update(space.id, space.general, { name: 'bots' })).name, 'bots')
})

test('ROOM-6: omitted fields stay, and null clears', async () => {
  const before = await roomNow()
  const fields = { name: ' tea ', description: ' all about it ', parent_id: voices }
  const full = await owner.client.rooms.update(space.id, space.general, fields)
  const { updated_at } = full
  assert.deepEqual(full, {
    ...before,
    name: 'tea',
    description: 'all about it',
    parent_id: voices,
    updated_at,
  })
  assert.ok(updated_at > (before?.updated_at ?? ''))
  assert.deepEqual(await roomNow(), full)
  const renamed = await owner.client.rooms.update(space.id, space.general, { name: 'coffee' })
  assert.deepEqual(renamed, { ...full, name: 'coffee', updated_at: renamed.updated_at })
  const nothing = { name: null, description: null, parent_id: null }
  const cleared = await owner.client.rooms.update(space.id, space.general, nothing)
  assert.deepEqual([cleared.name, cleared.description, cleared.parent_id], ['', null, null])
  await owner.client.rooms.update(space.id, space.general, { description: 'again' })
  const emptied = await owner.client.rooms.update(space.id, space.general, { description: ' ' })
  assert.equal(emptied.description, null)
})

test('ROOM-6: only the name and the position of a category can change', async () => {
  const before = await roomNow(texts)
  const { id: other } = await owner.client.rooms.create(space.id, { name: 'other', type: 3 })
  for (const parent_id of [voices, other, space.general, newId(), texts, null]) {
    const body = { name: 'renamed', description: 'ignored', parent_id, position: 0 }
    const room = await owner.client.rooms.update(space.id, texts, body)
    assert.deepEqual(room, { ...before, name: 'renamed', updated_at: room.updated_at })
  }
  assert.equal((await owner.client.rooms.update(space.id, texts, { name: null })).name, '')
})

test('ROOM-4: a room can only move into a category of the space', async () => {
  const { rooms } = await makeSpace(owner)
  const before = await roomNow()
  for (const parent_id of [space.general, space.lounge, rooms[0]?.id, newId(), space.id]) {
    const body = { name: 'half', position: 0, parent_id }
    const answer = await owner.call('PATCH', pathOf(space.general), body)
    assert.deepEqual([answer.status, answer.code], [400, 'not_a_category'])
  }
  assert.deepEqual(await roomNow(), before)
})

test('ROOM-6: an invalid body is refused with its field’s name, and changes nothing', async () => {
  const before = await owner.client.rooms.list(space.id)
  const bodies: [unknown, RegExp][] = [
    [{ name: '' }, /^name /],
    [{ name: 'x'.repeat(101) }, /^name /],
    [{ name: 7 }, /^name /],
    [{ description: 'x'.repeat(1025) }, /^description /],
    [{ parent_id: 'x' }, /^parent_id /],
    [{ parent_id: [] }, /^parent_id /],
    ...[null, -1, 0.5, '1', true, 2 ** 31, 2 ** 64, -(2 ** 63)].map((position): [unknown, RegExp] => [
      { position },
      /^position /,
    ]),
    ['[]', /^the request body /],
    [undefined, /missing/],
  ]
  for (const [body, message] of bodies) {
    const answer = await owner.call('PATCH', pathOf(space.general), body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(JSON.stringify(answer.body).slice('{"error":"'.length), message)
  }
  assert.deepEqual(await owner.client.rooms.list(space.id), before)
})

test('ROOM-8: each room that changed is sent, in its new state, to those who may view it', async () => {
  const { id } = await guest.client.messages.create(space.general, { content: 'hi' })
  const before = await published()
  const room = await owner.client.rooms.update(space.id, space.general, { name: 'tea' })
  assert.deepEqual([room.last_seq, room.last_message_id], [1, id])
  const update = { name: 'ROOM_UPDATE', audience: 0 }
  assert.deepEqual((await published()).slice(before.length), [{ ...update, data: room }])
  const journal = await listJournal(server, topicOf.room(space.id, space.general))
  assert.deepEqual(journal.at(-1), { ...update, data: room })
  assert.deepEqual(await listJournal(server, topicOf.access(space.id)), [])
})

test('ROOM-8: a change without effect publishes nothing, and keeps updated_at', async () => {
  const [before, heard] = [await roomNow(), await published()]
  const same = { name: 'general', description: null, parent_id: texts, position: 1 }
  for (const body of [{}, same, { description: '' }, { type: 2, last_seq: 9 }]) {
    const answer = await owner.call('PATCH', pathOf(space.general), body)
    assert.deepEqual(answer, { status: 200, code: null, body: before })
  }
  assert.deepEqual(await published(), heard)
})

test('ROOM-8: neighbours that make room are sent, too, and keep updated_at', async () => {
  const before = await owner.client.rooms.list(space.id)
  const [moved, ...neighbours] = [
    await owner.client.rooms.update(space.id, space.lounge, { position: 1 }),
    ...(await owner.client.rooms.list(space.id)).slice(2),
  ]
  assert.deepEqual([moved.id, moved.position], [space.lounge, 1])
  assert.deepEqual(
    neighbours,
    [before[1], before[2]].map((room, index) => ({ ...room, position: index + 2 })),
  )
  for (const room of [moved, ...neighbours]) {
    const journal = await listJournal(server, topicOf.room(space.id, room.id))
    assert.deepEqual(journal, [{ name: 'ROOM_UPDATE', audience: 0, data: room }])
  }
  assert.deepEqual(await listJournal(server, topicOf.room(space.id, texts)), [])
})
