import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import type { Role } from '@foyer/protocol/roles'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { ManageRoles, ViewChannels } = Permission

let server: TestServer
let owner: Person
let mod: Person
let guest: Person
let space: TestSpace
let low: Role
let own: Role
let top: Role

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  mod = await createPerson(server, 'mod')
  guest = await createPerson(server, 'guest')
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner, [mod, guest])
  low = await giveRole(owner, space.id, [guest], { name: 'low' })
  own = await giveRole(owner, space.id, [mod], { name: 'own', permissions: ManageRoles })
  top = await giveRole(owner, space.id, [guest], { name: 'top' })
})

async function remove(person: Person, roleId: string) {
  const { status, code } = await person.call('DELETE', `/api/spaces/${space.id}/roles/${roleId}`)
  return code ?? status
}

const everyoneElse = async () =>
  (await owner.client.roles.list(space.id)).slice(1).map(({ name, position }) => [position, name])

function overwriteOf(roomId: string, targetId: string, flags: { allow?: number; deny?: number }) {
  const { allow = 0, deny = 0 } = flags
  const body = { target_id: targetId, target_type: 0, allow_flags: allow, deny_flags: deny }
  return owner.client.overwrites.upsert(space.id, roomId, body)
}

/** Returns the events of the space, of every topic, in order, without those of the audit log. */
async function listEvents(): Promise<{ kind: string; name: string; data: string }[]> {
  return server.deps.database.query(sql`
    select kind, name, data from events
    where tenant_id = ${space.id} and name <> 'AUDIT_LOG_ENTRY_CREATE' order by id`)
}

test('ROLE-11: members lose a deleted role, and the positions close up', async () => {
  assert.equal(await remove(owner, own.id), 204)
  assert.deepEqual(await everyoneElse(), [
    [1, 'low'],
    [2, 'top'],
  ])
  assert.deepEqual((await owner.client.members.get(space.id, mod.id)).roles, [])
  assert.deepEqual((await owner.client.members.get(space.id, guest.id)).roles, [low.id, top.id].toSorted())
  assert.equal(await remove(owner, own.id), 'unknown_role')
})

test('ROLE-11: its overwrites are deleted in every room, and no others', async () => {
  const everyone = await overwriteOf(space.general, space.id, { deny: ViewChannels })
  const kept = await overwriteOf(space.general, low.id, { allow: ViewChannels })
  for (const room of [space.general, space.lounge]) await overwriteOf(room, top.id, { allow: ViewChannels })
  await owner.client.roles.delete(space.id, top.id)
  assert.deepEqual(
    new Set(await owner.client.overwrites.list(space.id, space.general)),
    new Set([everyone, kept]),
  )
  assert.deepEqual(await owner.client.overwrites.list(space.id, space.lounge), [])
})

test('ROLE-13: the server receives a deletion first, then the viewers of rooms with its overwrites, then the space', async () => {
  await overwriteOf(space.general, own.id, { allow: ViewChannels })
  const before = (await listEvents()).length
  await owner.client.roles.delete(space.id, own.id)
  const told = (await listEvents())
    .slice(before)
    .map(({ kind, name, data }) => [kind, name, JSON.parse(data)])
  const gone = { space_id: space.id, room_id: space.general, target_id: own.id }
  assert.deepEqual(told, [
    ['access', 'SPACE_ACCESS_CHANGE', {}],
    ['room', 'ROOM_OVERWRITE_DELETE', gone],
    ['space', 'SPACE_ROLE_DELETE', { space_id: space.id, role_id: own.id }],
    ['space', 'SPACE_ROLE_UPDATE', { ...top, position: 2 }],
  ])
})

test('ROLE-11: users who see a room only by the role lose it, and receive nothing of its overwrite', async () => {
  await overwriteOf(space.general, space.id, { deny: ViewChannels })
  await overwriteOf(space.general, top.id, { allow: ViewChannels })
  const [here, there] = [await connect(server, guest), await connect(server, owner)]
  await owner.client.roles.delete(space.id, top.id)
  await Promise.all([here, there].map((client) => client.findEvent('SPACE_ROLE_DELETE')))
  assert.equal(here.heard('ROOM_DELETE').length, 1)
  assert.equal(here.heard('ROOM_OVERWRITE_DELETE').length, 0)
  assert.equal(there.heard('ROOM_DELETE').length, 0)
  assert.equal(there.heard('ROOM_OVERWRITE_DELETE').length, 1)
  const rooms = await guest.client.rooms.list(space.id)
  assert.ok(rooms.length > 0 && rooms.every(({ id }) => id !== space.general))
  here.close()
  there.close()
})

test('ROLE-7: only the owner can delete roles that are not below their highest', async () => {
  const before = await listEvents()
  for (const { id } of [own, top]) assert.equal(await remove(mod, id), 'role_not_below')
  assert.equal(await remove(guest, low.id), 'missing_permission')
  assert.deepEqual(await listEvents(), before)
  assert.equal(await remove(mod, low.id), 204)
  assert.equal(await remove(owner, top.id), 204)
})

test('ROLE-10: @everyone cannot be deleted', async () => {
  const before = await listEvents()
  for (const person of [owner, mod]) assert.equal(await remove(person, space.id), 'everyone_is_fixed')
  assert.equal(await remove(guest, space.id), 'missing_permission')
  assert.deepEqual(await listEvents(), before)
})
