import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { MAX_OWNED_OVERWRITES, MAX_OWNED_ROOMS } from '@foyer/protocol/limits'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

/** Rooms of each new space in these tests. */
const FIRST_ROOMS = 4
/** Rooms and overwrites that the owners of nearly all may still add, when they have two new spaces. */
const [ROOMS_LEFT, OVERWRITES_LEFT] = [1, 2]

interface Estate {
  owner: Person
  /** A space that all tests use, because it takes a second to fill one. */
  large: TestSpace
}

let server: TestServer
let manyRooms: Estate
let manyOverwrites: Estate
let member: Person
/** The owner of the two new spaces of a test. */
let owner: Person
let first: TestSpace
let second: TestSpace

before(async () => {
  server = await startTestServer()
  member = await createPerson(server, 'member')
  manyRooms = await makeEstate('landlord')
  manyOverwrites = await makeEstate('gatekeeper')
  await fillRooms(manyRooms.large)
  await fillOverwrites(manyOverwrites.large)
})
after(() => server.close())
afterEach(async () => {
  // Deletes the new spaces as a request would, so that they no longer count against the owners' limits.
  const kept = [manyRooms.large.id, manyOverwrites.large.id]
  await server.deps.database.execute(sql`update spaces set deleted_at = now() where id <> all(${kept})`)
})

async function makeEstate(name: string): Promise<Estate> {
  const owner = await createPerson(server, name)
  return { owner, large: await makeSpace(owner) }
}

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

/** Gives a person two new spaces that others have joined. */
async function makeSpaces(person: Person, others: readonly Person[] = [member]): Promise<void> {
  owner = person
  first = await makeSpace(owner, others)
  second = await makeSpace(owner, others)
}

async function fillRooms({ id }: TestSpace): Promise<void> {
  await server.deps.database.execute(sql`
    insert into rooms (space_id, id, name, type, position)
    select ${id}, gen_random_uuid(), 'room', 1, number + 3
    from generate_series(1, ${MAX_OWNED_ROOMS - 3 * FIRST_ROOMS - ROOMS_LEFT}::integer) as number`)
}

async function fillOverwrites({ id, general }: TestSpace): Promise<void> {
  await server.deps.database.execute(sql`
    insert into room_overwrites (space_id, room_id, target_id, target_type, allow_flags, deny_flags)
    select ${id}, ${general}, gen_random_uuid(), 1, 0, 0
    from generate_series(1, ${MAX_OWNED_OVERWRITES - OVERWRITES_LEFT}::integer)`)
}

test('SPACE-15: all spaces of an owner have at most 20,000 rooms together, not counting those of others', async () => {
  await makeSpaces(manyRooms.owner)
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
  await owner.client.spaces.delete(first.id)
  assert.equal(await createRoom(second), 200)
})

test('SPACE-15: rooms created in two spaces at once do not exceed the limit together', async () => {
  await makeSpaces(manyRooms.owner)
  const lock = await holdJournal()
  const made = Promise.all([createRoom(first), createRoom(second)])
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual((await made).toSorted(), [200, '400 too_many_owned_rooms'])
})

test('SPACE-15: all spaces of an owner have at most 50,000 overwrites together, and each can be set again', async () => {
  await makeSpaces(manyOverwrites.owner)
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
  await makeSpaces(manyOverwrites.owner)
  assert.equal(await upsert(first, first.lounge), 200)
  const lock = await holdJournal()
  const set = Promise.all([upsert(first, first.general), upsert(second, second.general)])
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual((await set).toSorted(), [200, '400 too_many_owned_overwrites'])
})

test('SPACE-15: a space cannot be transferred to an owner who would have too many rooms or overwrites', async () => {
  const [landlord, gatekeeper] = [manyRooms.owner, manyOverwrites.owner]
  // One space fewer than in the other tests, so five rooms are left.
  await makeSpace(landlord)
  await makeSpaces(member, [landlord, gatekeeper])
  for (const space of [first, first, second]) assert.equal(await createRoom(space), 200)
  assert.equal(await transfer(first, landlord), '400 too_many_owned_rooms')
  assert.equal(await transfer(second, landlord), 200)
  for (const target of [first.id, member.id])
    assert.equal(await upsert(first, first.general, overwrite(target)), 200)
  assert.equal(await upsert(first, first.lounge), 200)
  assert.equal(await transfer(first, gatekeeper), '400 too_many_owned_overwrites')
  assert.equal((await owner.client.spaces.get(first.id)).owner_id, owner.id)
  await owner.client.overwrites.delete(first.id, first.lounge, first.id)
  assert.equal(await transfer(first, gatekeeper), 200)
})
