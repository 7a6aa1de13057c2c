import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_OVERWRITES, MAX_SPACE_OVERWRITES } from '@foyer/protocol/limits'
import { ALL_PERMISSIONS, OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { Role, UpsertOverwriteBody } from '@foyer/protocol/roles'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { listJournal, noCapabilities, setEveryone } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { ManageChannels, ManageMessages, PinMessages, ViewChannels } = Permission

let server: TestServer
let owner: Person
let mod: Person
let friend: Person
let guest: Person
let outsider: Person
let space: TestSpace
/** Gives `mod` ManageChannels. */
let role: Role

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  mod = await createPerson(server, 'mod')
  friend = await createPerson(server, 'friend')
  guest = await createPerson(server, 'guest')
  outsider = await createPerson(server, 'outsider')
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner, [mod, friend, guest])
  role = await giveRole(owner, space.id, [mod], { permissions: ManageChannels })
})

const onRole = (id: string, allow_flags: number, deny_flags = 0): UpsertOverwriteBody => ({
  target_id: id,
  target_type: OverwriteTarget.Role,
  allow_flags,
  deny_flags,
})
const onMember = (id: string, allow_flags: number): UpsertOverwriteBody => ({
  ...onRole(id, allow_flags),
  target_type: OverwriteTarget.Member,
})
const hidden = () => onRole(space.id, 0, ViewChannels)

function create(person: Person, overwrites: unknown, name = 'plans') {
  return person.call('POST', `/api/spaces/${space.id}/rooms`, { name, type: 1, overwrites })
}

test('ROOM-12: users whom its overwrites exclude receive nothing of a new room, and the others everything', async () => {
  const [inside, outside] = [await connect(server, friend), await connect(server, guest)]
  const overwrites = [hidden(), onMember(mod.id, ViewChannels), onMember(friend.id, ViewChannels)]
  const room = await mod.client.rooms.create(space.id, { name: 'surprise', type: 1, overwrites })
  const open = await mod.client.rooms.create(space.id, { name: 'open', type: 1 })
  await owner.client.messages.create(open.id, { content: 'hi' })
  for (const listener of [inside, outside]) await listener.findEvent('MESSAGE_CREATE')
  const created = (listener: typeof inside) => listener.heard('ROOM_CREATE').map(({ d }) => d)
  assert.deepEqual(created(inside), [room, open])
  assert.deepEqual(created(outside), [open])
  assert.ok(outside.frames.every(({ text }) => !text.includes(room.id) && !text.includes('surprise')))
  const place = { space_id: space.id, room_id: room.id }
  assert.deepEqual(
    inside.heard('ROOM_OVERWRITE_UPDATE').map(({ d }) => d),
    overwrites.map((overwrite) => ({ ...place, ...noCapabilities, ...overwrite })),
  )
  assert.equal(outside.heard('ROOM_DELETE').length, 0)
  const names = (await listJournal(server, topicOf.room(space.id, room.id))).map(({ name }) => name)
  assert.deepEqual(names, ['ROOM_CREATE', ...overwrites.map(() => 'ROOM_OVERWRITE_UPDATE')])
  for (const [person, isSeen] of [
    [friend, true],
    [guest, false],
  ] as const) {
    const listed = (await person.client.rooms.list(space.id)).some(({ id }) => id === room.id)
    assert.equal(listed, isSeen)
  }
  inside.close()
  outside.close()
})

test('ROOM-12: the last of two overwrites for one target counts', async () => {
  const twice = [onRole(role.id, 0, ViewChannels), hidden(), onRole(role.id, ViewChannels)]
  const { id } = await owner.client.rooms.create(space.id, { name: 'x', type: 1, overwrites: twice })
  const listed = await owner.client.overwrites.list(space.id, id)
  const byTarget = (one: UpsertOverwriteBody, other: UpsertOverwriteBody) =>
    one.target_id < other.target_id ? -1 : 1
  const expected = [hidden(), onRole(role.id, ViewChannels)].toSorted(byTarget)
  assert.deepEqual(
    listed,
    expected.map((overwrite) => ({ room_id: id, ...noCapabilities, ...overwrite })),
  )
})

test('ROOM-12: each overwrite is refused as it would be separately, and then no room is created', async () => {
  const before = await owner.client.rooms.list(space.id)
  const cases: [UpsertOverwriteBody, number, string][] = [
    [onRole(role.id, ALL_PERMISSIONS + 1), 400, 'unknown_flags'],
    [onRole(role.id, 0, 2 ** 31), 400, 'unknown_flags'],
    [onRole(newId(), 0), 404, 'unknown_role'],
    [onRole(guest.id, 0), 404, 'unknown_role'],
    [onMember(outsider.id, 0), 404, 'unknown_member'],
    [onMember(role.id, 0), 404, 'unknown_member'],
    [onMember(guest.id, ManageMessages), 403, 'permission_not_held'],
    [onRole(space.id, 0, ManageMessages), 403, 'permission_not_held'],
  ]
  for (const [overwrite, status, code] of cases) {
    const alone = await mod.call(
      'PUT',
      `/api/spaces/${space.id}/rooms/${space.general}/overwrites`,
      overwrite,
    )
    const answer = await create(mod, [hidden(), overwrite])
    assert.deepEqual([answer.status, answer.code], [status, code])
    assert.deepEqual(answer, alone)
  }
  const shapes = [null, {}, [7], [{ ...hidden(), target_type: 2 }], [{ ...hidden(), allow_flags: null }]]
  const many = Array.from({ length: MAX_OVERWRITES + 1 }, hidden)
  for (const overwrites of [...shapes, many]) {
    const { status, body } = await create(owner, overwrites)
    assert.equal(status, 400)
    assert.match(JSON.stringify(body), /overwrites/)
  }
  assert.deepEqual(await owner.client.rooms.list(space.id), before)
  assert.equal((await create(mod, [hidden(), onMember(guest.id, ViewChannels)])).status, 200)
})

test('ROOM-12: a caller who may not view rooms creates one, but without overwrites', async () => {
  await setEveryone(server, space.id, PinMessages)
  assert.equal((await create(mod, [onMember(guest.id, PinMessages)])).code, 'missing_permission')
  assert.equal((await create(mod, [])).status, 200)
  assert.equal((await create(mod, undefined)).status, 200)
})

test('ROOM-12: the space’s limit for overwrites applies', async () => {
  await server.deps.database.execute(sql`
    insert into room_overwrites (space_id, room_id, target_id, target_type, allow_flags, deny_flags)
    select ${space.id}, ${space.general}, gen_random_uuid(), 1, 0, 0
    from generate_series(3, ${MAX_SPACE_OVERWRITES}::integer)`)
  const three = [hidden(), onRole(role.id, 0), onMember(guest.id, 0)]
  assert.equal((await create(owner, three)).code, 'too_many_space_overwrites')
  const [, ...two] = three
  assert.equal((await create(owner, [...two, ...two])).status, 200)
})
