import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_OWNED_OVERWRITES, MAX_OWNED_ROOMS } from '@foyer/protocol/limits'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

/** Rooms of each new space in these tests. */
const FIRST_ROOMS = 4

let server: TestServer
let owner: Person
let member: Person
let first: TestSpace
let second: TestSpace
/** The space with most of the owner's rooms and overwrites. */
let large: TestSpace

before(async () => {
  server = await startTestServer()
})
after(() => server.close())
beforeEach(async () => {
  owner = await createPerson(server, `owner${newId().slice(-8)}`)
  member = await createPerson(server, `member${newId().slice(-8)}`)
  first = await makeSpace(owner, [member])
  second = await makeSpace(owner, [member])
  large = await makeSpace(owner)
})

const createRoom = (space: TestSpace, more = {}) =>
  codeOf(owner.call('POST', `/api/spaces/${space.id}/rooms`, { name: 'room', type: 1, ...more }))
const overwrite = (targetId: string, deny_flags = 0) => ({
  target_id: targetId,
  target_type: targetId === member.id ? OverwriteTarget.Member : OverwriteTarget.Role,
  allow_flags: 0,
  deny_flags,
})
const upsert = (space: TestSpace, roomId: string, body = overwrite(space.id)) =>
  codeOf(owner.call('PUT', `/api/spaces/${space.id}/rooms/${roomId}/overwrites`, body))
const transfer = (space: TestSpace, to: Person) =>
  codeOf(owner.call('POST', `/api/spaces/${space.id}/transfer`, { user_id: to.id }))
/** Blocks the journal: changes wait with all rows written but their events. */
const holdJournal = () => holdLock(server, sql`lock table events in share mode`)

async function leaveRooms(space: TestSpace, count: number, spaces = 3): Promise<void> {
  await server.deps.database.execute(sql`
    insert into rooms (space_id, id, name, type, position)
    select ${space.id}, gen_random_uuid(), 'room', 1, number + 3
    from generate_series(1, ${MAX_OWNED_ROOMS - spaces * FIRST_ROOMS - count}::integer) as number`)
}

async function leaveOverwrites(space: TestSpace, count: number): Promise<void> {
  await server.deps.database.execute(sql`
    insert into room_overwrites (space_id, room_id, target_id, target_type, allow_flags, deny_flags)
    select ${space.id}, ${space.general}, gen_random_uuid(), 1, 0, 0
    from generate_series(1, ${MAX_OWNED_OVERWRITES - count}::integer)`)
}

test('SPACE-15: all spaces of an owner have at most 20,000 rooms together, not counting those of others', async () => {
  await leaveRooms(large, 1)
  assert.equal(
    await codeOf(owner.call('POST', '/api/spaces', { name: 'one more' })),
    '400 too_many_owned_rooms',
  )
  assert.equal((await owner.client.users.listSpaces()).length, 3)
  assert.equal(await createRoom(first), 200)
  const refused = await owner.call('POST', `/api/spaces/${second.id}/rooms`, { name: 'room', type: 1 })
  assert.deepEqual([refused.status, refused.code], [400, 'too_many_owned_rooms'])
  assert.deepEqual(refused.body, { error: 'the spaces of this owner already have 20000 rooms in total' })
  assert.equal((await owner.client.rooms.list(second.id)).length, FIRST_ROOMS)
  assert.equal((await makeSpace(member)).rooms.length, FIRST_ROOMS)
  await owner.client.spaces.delete(large.id)
  assert.equal(await createRoom(second), 200)
})

test('SPACE-15: rooms created in two spaces at once do not exceed the limit together', async () => {
  await leaveRooms(large, 1)
  const lock = await holdJournal()
  const made = Promise.all([createRoom(first), createRoom(second)])
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual((await made).toSorted(), [200, '400 too_many_owned_rooms'])
})

test('SPACE-15: all spaces of an owner have at most 50,000 overwrites together, and each can be set again', async () => {
  await leaveOverwrites(large, 2)
  assert.equal(await upsert(first, first.general), 200)
  assert.equal(await createRoom(second, { overwrites: [overwrite(member.id)] }), 200)
  assert.equal(await upsert(second, second.general), '400 too_many_owned_overwrites')
  const overwrites = [overwrite(second.id), overwrite(member.id)]
  assert.equal(await createRoom(second, { overwrites }), '400 too_many_owned_overwrites')
  assert.equal(await createRoom(second), 200)
  assert.equal(await upsert(first, first.general, overwrite(first.id, Permission.SendMessages)), 200)
  await owner.client.overwrites.delete(first.id, first.general, first.id)
  assert.equal(await upsert(second, second.general), 200)
})

test('SPACE-15: overwrites set in two spaces at once do not exceed the limit together', async () => {
  await leaveOverwrites(large, 1)
  const lock = await holdJournal()
  const set = Promise.all([upsert(first, first.general), upsert(second, second.general)])
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual((await set).toSorted(), [200, '400 too_many_owned_overwrites'])
})

test('SPACE-15: a space cannot be transferred to an owner who would have too many rooms or overwrites', async () => {
  const theirs = await makeSpace(member)
  await leaveRooms(theirs, FIRST_ROOMS - 1, 1)
  assert.equal(await transfer(first, member), '400 too_many_owned_rooms')
  await server.deps.database.execute(sql`delete from rooms where space_id = ${theirs.id} and position = 4`)
  assert.equal(await upsert(first, first.general), 200)
  await leaveOverwrites(theirs, 0)
  assert.equal(await transfer(first, member), '400 too_many_owned_overwrites')
  assert.equal((await owner.client.spaces.get(first.id)).owner_id, owner.id)
  assert.equal(await transfer(second, member), 200)
})
