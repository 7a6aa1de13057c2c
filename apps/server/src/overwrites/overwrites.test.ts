import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_OVERWRITES, MAX_SPACE_OVERWRITES } from '@foyer/protocol/limits'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { UpsertOverwriteBody } from '@foyer/protocol/roles'
import pg from 'pg'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { listJournal, noCapabilities } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { ViewChannels, SendMessages, PinMessages, ManageMessages } = Permission

let server: TestServer
let owner: Person
let guest: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  guest = await createPerson(server, 'guest')
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner, [guest])
})

const overwrite = (target_id: string, target_type: number, allow_flags = 0, deny_flags = 0) => ({
  target_id,
  target_type,
  allow_flags,
  deny_flags,
})
const upsert = (body: UpsertOverwriteBody) => owner.client.overwrites.upsert(space.id, space.general, body)
const remove = (targetId: string) => owner.client.overwrites.delete(space.id, space.general, targetId)
const listed = () => owner.client.overwrites.list(space.id, space.general)
const path = () => `/api/spaces/${space.id}/rooms/${space.general}/overwrites`
const published = () => listJournal(server, topicOf.room(space.id, space.general))
const accessChanges = async () => (await listJournal(server, topicOf.access(space.id))).length

async function seesGeneral(person: Person): Promise<boolean> {
  const rooms = await person.client.rooms.list(space.id)
  return rooms.some(({ id }) => id === space.general)
}

test('OVERWRITE-4: @everyone, another role and a member each have an overwrite in one room only', async () => {
  const role = await giveRole(owner, space.id, [])
  const bodies = [
    overwrite(space.id, OverwriteTarget.Role, 0, ViewChannels),
    overwrite(role.id, OverwriteTarget.Role, ViewChannels, PinMessages),
    overwrite(guest.id, OverwriteTarget.Member, 0, 0),
  ]
  for (const body of bodies) {
    const answer = await upsert(body)
    assert.deepEqual(answer, { room_id: space.general, ...noCapabilities, ...body })
  }
  const byTarget = bodies.toSorted((one, other) => (one.target_id < other.target_id ? -1 : 1))
  assert.deepEqual(
    await listed(),
    byTarget.map((body) => ({ room_id: space.general, ...noCapabilities, ...body })),
  )
  assert.deepEqual(await owner.client.overwrites.list(space.id, space.lounge), [])
})

test('OVERWRITE-3: setting an overwrite again replaces both of its bitfields', async () => {
  await upsert(overwrite(guest.id, OverwriteTarget.Member, ViewChannels | PinMessages, SendMessages))
  const body = overwrite(guest.id, OverwriteTarget.Member, SendMessages, 0)
  const answer = await owner.call('POST', path(), body)
  assert.deepEqual(answer, {
    status: 200,
    code: null,
    body: { room_id: space.general, ...noCapabilities, ...body },
  })
  assert.deepEqual(await listed(), [answer.body])
})

test('OVERWRITE-3: the type of a target cannot change', async () => {
  const role = await giveRole(owner, space.id, [])
  const set = [
    await upsert(overwrite(role.id, OverwriteTarget.Role, PinMessages)),
    await upsert(overwrite(guest.id, OverwriteTarget.Member, PinMessages)),
  ]
  const before = [await listed(), await published()]
  for (const { target_id, target_type } of set) {
    const answer = await owner.call('PUT', path(), overwrite(target_id, 1 - target_type))
    assert.deepEqual([answer.status, answer.code], [400, 'target_type_fixed'])
  }
  assert.deepEqual([await listed(), await published()], before)
})

test('OVERWRITE-7: the viewers of the room receive the change, after the server has applied it', async () => {
  const before = await accessChanges()
  const body = overwrite(guest.id, OverwriteTarget.Member, 0, SendMessages)
  await upsert(body)
  await remove(guest.id)
  const place = { space_id: space.id, room_id: space.general }
  assert.deepEqual(await published(), [
    { name: 'ROOM_OVERWRITE_UPDATE', audience: 0, data: { ...place, ...noCapabilities, ...body } },
    { name: 'ROOM_OVERWRITE_DELETE', audience: 0, data: { ...place, target_id: guest.id } },
  ])
  assert.equal(await accessChanges(), before + 2)
  const names = await server.deps.database.query<{ name: string }>(sql`
    select name from events where tenant_id = ${space.id} and name <> 'AUDIT_LOG_ENTRY_CREATE' order by id desc limit 4`)
  assert.deepEqual(
    names.map(({ name }) => name),
    ['ROOM_OVERWRITE_DELETE', 'SPACE_ACCESS_CHANGE', 'ROOM_OVERWRITE_UPDATE', 'SPACE_ACCESS_CHANGE'],
  )
})

test('OVERWRITE-7: setting an overwrite to its current value answers it, and publishes nothing', async () => {
  const body = overwrite(guest.id, OverwriteTarget.Member, PinMessages, SendMessages)
  const set = await upsert(body)
  const before = [await published(), await accessChanges()]
  assert.deepEqual(await upsert(body), set)
  assert.deepEqual([await published(), await accessChanges()], before)
})

test('OVERWRITE-7: users who lose the room, or could not view it, receive nothing of it', async () => {
  const [here, there] = [await connect(server, guest), await connect(server, owner)]
  await upsert(overwrite(space.id, OverwriteTarget.Role, 0, ViewChannels))
  await upsert(overwrite(space.id, OverwriteTarget.Role, 0, ViewChannels | SendMessages))
  await remove(space.id)
  await here.findEvent('ROOM_CREATE')
  await there.findEvent('ROOM_OVERWRITE_DELETE')
  await here.settle()
  assert.equal(there.heard('ROOM_OVERWRITE_UPDATE').length, 2)
  assert.equal(here.heard('ROOM_OVERWRITE_UPDATE').length, 0)
  assert.equal(here.heard('ROOM_DELETE').length, 1)
  assert.equal(here.heard('ROOM_OVERWRITE_DELETE').length, 1)
  here.close()
  there.close()
})

test('OVERWRITE-9: an overwrite applies from the answer on, and so does its deletion', async () => {
  const role = await giveRole(owner, space.id, [guest])
  await upsert(overwrite(space.id, OverwriteTarget.Role, 0, ViewChannels))
  assert.equal(await seesGeneral(guest), false)
  await upsert(overwrite(role.id, OverwriteTarget.Role, ViewChannels))
  assert.equal(await seesGeneral(guest), true)
  await upsert(overwrite(guest.id, OverwriteTarget.Member, 0, ViewChannels))
  assert.equal(await seesGeneral(guest), false)
  await upsert(overwrite(guest.id, OverwriteTarget.Member, 0, ManageMessages))
  assert.equal(await seesGeneral(guest), true)
  await remove(role.id)
  assert.equal(await seesGeneral(guest), false)
  await remove(space.id)
  assert.equal(await seesGeneral(guest), true)
  assert.equal(await seesGeneral(owner), true)
})

test('OVERWRITE-8: a deleted overwrite is gone, and deleting it again is 404', async () => {
  const role = await giveRole(owner, space.id, [])
  await upsert(overwrite(role.id, OverwriteTarget.Role, PinMessages))
  const kept = await upsert(overwrite(guest.id, OverwriteTarget.Member, PinMessages))
  const answer = await owner.call('DELETE', `${path()}/${role.id}`)
  assert.deepEqual(answer, { status: 204, code: null, body: undefined })
  assert.deepEqual(await listed(), [kept])
  const before = [await published(), await accessChanges()]
  for (const target of [role.id, space.id, owner.id]) {
    const again = await owner.call('DELETE', `${path()}/${target}`)
    assert.deepEqual([again.status, again.code], [404, 'unknown_overwrite'])
  }
  assert.deepEqual([await published(), await accessChanges()], before)
})

test('OVERWRITE-6: a room has at most 500 overwrites, each of which can be set again', async () => {
  await server.deps.database.execute(sql`
    insert into room_overwrites (space_id, room_id, target_id, target_type, allow_flags, deny_flags)
    select ${space.id}, ${space.general}, gen_random_uuid(), 1, 0, 0
    from generate_series(1, ${MAX_OVERWRITES - 1}::integer)`)
  await upsert(overwrite(guest.id, OverwriteTarget.Member))
  const before = await published()
  const body = overwrite(space.id, OverwriteTarget.Role)
  const refused = await owner.call('PUT', path(), body)
  assert.deepEqual([refused.status, refused.code], [400, 'too_many_overwrites'])
  assert.deepEqual(await published(), before)
  await upsert(overwrite(guest.id, OverwriteTarget.Member, PinMessages))
  await owner.client.overwrites.upsert(space.id, space.lounge, body)
  await remove(guest.id)
  await upsert(body)
  assert.equal((await listed()).length, MAX_OVERWRITES)
})

test('OVERWRITE-10: a space has at most 5000 overwrites in total', async () => {
  await server.deps.database.execute(sql`
    with room as (
      insert into rooms (space_id, id, name, type, position)
      select ${space.id}, gen_random_uuid(), 'room', 1, number from generate_series(100, 109) as number
      returning space_id, id
    )
    insert into room_overwrites (space_id, room_id, target_id, target_type, allow_flags, deny_flags)
    select space_id, id, gen_random_uuid(), 1, 0, 0
    from room, generate_series(1, ${MAX_SPACE_OVERWRITES / 10}::integer)`)
  const body = overwrite(space.id, OverwriteTarget.Role)
  const refused = await owner.call('PUT', path(), body)
  assert.deepEqual([refused.status, refused.code], [400, 'too_many_space_overwrites'])
  await server.deps.database.execute(sql`
    delete from room_overwrites where (space_id, room_id, target_id) in (
      select space_id, room_id, target_id from room_overwrites where space_id = ${space.id} limit 1)`)
  await upsert(body)
})

test('OVERWRITE-11: changing an overwrite reads the rows of its room, and not those of the space', async (context) => {
  const OTHERS = 1000
  const results: { addRow(row: unknown): void } = Object(pg.Result.prototype)
  await server.deps.database.execute(sql`
    insert into room_overwrites (space_id, room_id, target_id, target_type, allow_flags, deny_flags)
    select ${space.id}, ${space.lounge}, uuidv7(), 1, 0, 1 from generate_series(1, ${OTHERS}::integer)`)
  const changes = [
    () => upsert(overwrite(guest.id, OverwriteTarget.Member, 0, SendMessages)),
    () => remove(guest.id),
  ]
  for (const change of changes) {
    // Fills the process's cache of the space, which the change must drop.
    await listed()
    const rows = context.mock.method(results, 'addRow')
    await change()
    const count = rows.mock.callCount()
    rows.mock.restore()
    assert.ok(count > 0 && count < OTHERS / 4, `${count} rows`)
  }
})
