import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_ROOMS } from '@foyer/protocol/limits'
import { ALL_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { callAsNobody, createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { assignRole, insertOverwrite, insertRole, listJournal, setEveryone } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startThread } from '#test/scenes/thread-rooms.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { Administrator, ManageChannels, ViewChannels } = Permission

let server: TestServer
let owner: Person
let guest: Person
let stranger: Person
let space: TestSpace
let path: string
let category: string

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  guest = await createPerson(server, 'guest')
  stranger = await createPerson(server, 'stranger')
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner, [guest])
  path = `/api/spaces/${space.id}/rooms`
  category = space.rooms[0]?.id ?? ''
})

async function permit(userId: string, permissions: number): Promise<void> {
  const roleId = await insertRole(server, space.id, { permissions, position: 1 })
  await assignRole(server, { spaceId: space.id, userId, roleId })
}

test('ROOM-3: a new room is added after all others, empty, and can be written in at once', async () => {
  const room = await owner.client.rooms.create(space.id, { name: '  tea ', type: RoomType.Text })
  const { id, created_at, updated_at, ...rest } = room
  assert.deepEqual(rest, {
    space_id: space.id,
    name: 'tea',
    type: 1,
    parent_id: null,
    description: null,
    position: 4,
    slow_mode_seconds: 0,
    retention_days: null,
    last_message_id: null,
    last_seq: 0,
  })
  assert.equal(created_at, updated_at)
  assert.deepEqual((await guest.client.rooms.list(space.id)).at(-1), room)
  assert.equal((await guest.client.messages.create(id, { content: 'hi' })).seq, 1)
  const child = { name: 'calls', type: RoomType.Voice, parent_id: category }
  const { type, parent_id, position } = await owner.client.rooms.create(space.id, child)
  assert.deepEqual([type, parent_id, position], [2, category, 5])
})

test('ROOM-3: those who may view it receive it', async () => {
  const room = await owner.client.rooms.create(space.id, { name: 'tea', type: 1 })
  const told = await listJournal(server, topicOf.room(space.id, room.id))
  assert.deepEqual(told, [{ name: 'ROOM_CREATE', audience: 0, data: room }])
  const [change] = await listJournal(server, topicOf.access(space.id))
  assert.equal(change?.name, 'SPACE_ACCESS_CHANGE')

  const listener = await connect(server, guest)
  const second = await owner.client.rooms.create(space.id, { name: 'coffee', type: 1 })
  await owner.client.messages.create(second.id, { content: 'first' })
  await listener.findEvent('MESSAGE_CREATE')
  assert.deepEqual(
    listener.heard('ROOM_CREATE').map(({ d }) => d),
    [second],
  )
  await setEveryone(server, space.id, 0)
  await listener.find(({ t }) => t === 'ROOM_DELETE')
  const hidden = await owner.client.rooms.create(space.id, { name: 'hidden', type: 1 })
  await listener.settle()
  assert.ok(listener.frames.every(({ text }) => !text.includes(hidden.id)))
  listener.close()
})

test('ROOM-3: creating requires only ManageChannels in the space, for bots as well', async () => {
  await permit(guest.id, ALL_PERMISSIONS & ~ManageChannels & ~Administrator)
  await insertOverwrite(server, space.id, {
    room_id: category,
    target_id: guest.id,
    target_type: 1,
    allow_flags: ManageChannels,
    deny_flags: 0,
  })
  const before = await owner.client.rooms.list(space.id)
  const body = { name: 'x', type: 1, parent_id: category }
  for (const sent of [body, 'not even JSON', undefined]) {
    assert.equal((await guest.call('POST', path, sent)).code, 'missing_permission')
    for (const id of [space.id, newId()])
      assert.equal((await stranger.call('POST', `/api/spaces/${id}/rooms`, sent)).code, 'not_a_member')
  }
  assert.equal((await callAsNobody(server, 'POST', path)).status, 401)
  assert.deepEqual(await owner.client.rooms.list(space.id), before)

  const bot = await createBot(server, 'builder')
  await server.deps.database.execute(
    sql`insert into members (space_id, user_id) values (${space.id}, ${bot.id})`,
  )
  await setEveryone(server, space.id, ManageChannels)
  for (const person of [guest, bot]) assert.equal((await person.call('POST', path, body)).status, 200)
})

test('ROOM-3: a caller who loses the permission before the creation creates nothing', async () => {
  await permit(guest.id, ManageChannels)
  const lock = await holdLock(
    server,
    sql`with gone as (delete from member_roles where space_id = ${space.id})
      select from spaces where id = ${space.id} for no key update`,
  )
  const created = guest.call('POST', path, { name: 'late', type: 1 })
  await lock.waitForBlocked(1)
  await lock.release()
  assert.equal((await created).code, 'missing_permission')
  assert.equal((await owner.client.rooms.list(space.id)).length, 4)
})

test('ROOM-4: a parent must be a category of the space', async () => {
  const other = await makeSpace(owner)
  const foreign = other.rooms[0]?.id ?? ''
  for (const parent_id of [space.general, space.lounge, foreign, newId(), space.id, owner.id]) {
    for (const type of [RoomType.Text, RoomType.Voice]) {
      const answer = await owner.call('POST', path, { name: 'x', type, parent_id })
      assert.deepEqual([answer.status, answer.code], [400, 'not_a_category'])
    }
  }
  assert.equal((await owner.client.rooms.list(space.id)).length, 4)
  const child = { name: 'x', type: RoomType.Text, parent_id: null }
  assert.equal((await owner.client.rooms.create(space.id, child)).parent_id, null)
})

test('ROOM-4: a parent may be hidden from the caller, and its overwrites do not apply to the room', async () => {
  await permit(guest.id, ManageChannels)
  await insertOverwrite(server, space.id, {
    room_id: category,
    target_id: guest.id,
    target_type: 1,
    allow_flags: 0,
    deny_flags: ViewChannels,
  })
  const room = await guest.client.rooms.create(space.id, { name: 'x', type: 1, parent_id: category })
  assert.equal(room.parent_id, category)
  const visible = (await guest.client.rooms.list(space.id)).map(({ id }) => id)
  assert.deepEqual([visible.includes(room.id), visible.includes(category)], [true, false])
})

test('ROOM-4: a category has no parent, whatever is requested', async () => {
  for (const parent_id of [category, space.general, newId(), null]) {
    const room = await owner.client.rooms.create(space.id, { name: 'x', type: RoomType.Category, parent_id })
    assert.deepEqual([room.type, room.parent_id], [3, null])
  }
  assert.equal((await owner.call('POST', path, { name: 'x', type: 3, parent_id: 'x' })).status, 400)
})

test('ROOM-3: an invalid body is refused with its field’s name, and creates nothing', async () => {
  const bodies: [unknown, RegExp][] = [
    [{ type: 1 }, /^name /],
    [{ name: null, type: 1 }, /^name /],
    [{ name: ' ', type: 1 }, /^name /],
    [{ name: 'x'.repeat(101), type: 1 }, /^name /],
    [{ name: 'x' }, /^type /],
    ...[0, 4, -1, 1.5, '1', null, true, 2 ** 32 + 1].map((type): [unknown, RegExp] => [
      { name: 'x', type },
      /^type /,
    ]),
    [{ name: 'x', type: 1, parent_id: '' }, /^parent_id /],
    [{ name: 'x', type: 1, parent_id: 7 }, /^parent_id /],
    ['[]', /^the request body /],
    [undefined, /missing/],
  ]
  for (const [body, message] of bodies) {
    const answer = await owner.call('POST', path, body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.match(JSON.stringify(answer.body).slice('{"error":"'.length), message)
  }
  assert.equal((await owner.client.rooms.list(space.id)).length, 4)
  const [name, ignored] = ['🫖'.repeat(100), { position: 0, id: newId(), description: 'ignored' }]
  const answer = await owner.call('POST', path, { name, type: 1, ...ignored })
  assert.partialDeepStrictEqual(answer.body, { name, position: 4, description: null })
})

test('ROOM-11: a space has at most 500 rooms, beside its threads, however many are created at once', async () => {
  for (const title of ['one', 'two', 'three']) await startThread(owner, space.general, { title })
  await server.deps.database.execute(sql`
    insert into rooms (space_id, id, name, type, position)
    select ${space.id}, gen_random_uuid(), 'room', 1, n from generate_series(4, ${MAX_ROOMS - 4}::integer) n`)
  const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
  const created = Array.from({ length: 8 }, () => owner.call('POST', path, { name: 'x', type: 1 }))
  await lock.waitForBlocked(8)
  await lock.release()
  const statuses = (await Promise.all(created)).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [200, 200, 200, 400, 400, 400, 400, 400])
  const refused = await owner.call('POST', path, { name: 'x', type: 3 })
  assert.deepEqual([refused.status, refused.code], [400, 'too_many_rooms'])
  const positions = (await owner.client.rooms.list(space.id)).map(({ position }) => position)
  assert.deepEqual(positions, [...Array(MAX_ROOMS).keys()])
  await owner.client.rooms.delete(space.id, space.lounge)
  assert.equal((await owner.call('POST', path, { name: 'x', type: 1 })).status, 200)
})
