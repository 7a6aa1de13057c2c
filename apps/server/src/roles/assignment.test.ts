import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { ALL_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import type { Role } from '@foyer/protocol/roles'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { ManageRoles, Administrator } = Permission

let server: TestServer
let owner: Person
let mod: Person
let guest: Person
let outsider: Person
let spaceId: string
let low: Role
let own: Role
let top: Role

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  mod = await createPerson(server, 'mod')
  guest = await createPerson(server, 'guest')
  outsider = await createPerson(server, 'outsider')
})
after(() => server.close())

beforeEach(async () => {
  spaceId = (await makeSpace(owner, [mod, guest])).id
  low = await giveRole(owner, spaceId, [], { name: 'low', permissions: ALL_PERMISSIONS })
  own = await giveRole(owner, spaceId, [mod], { name: 'own', permissions: ManageRoles })
  top = await giveRole(owner, spaceId, [], { name: 'top' })
})

const path = (memberId: string, roleId: string) =>
  `/api/spaces/${spaceId}/members/${memberId}/roles/${roleId}`
const rolesOf = async ({ id }: Person) => (await owner.client.members.get(spaceId, id)).roles
const published = () => listJournal(server, topicOf.space(spaceId))

async function answers(person: Person, memberId: string, roleId: string) {
  const assigned = await person.call('PUT', path(memberId, roleId))
  const removed = await person.call('DELETE', path(memberId, roleId))
  return [assigned.code ?? assigned.status, removed.code ?? removed.status]
}

test('ROLE-12: giving a role is 200 and taking it 204, both without a body', async () => {
  for (const method of ['PUT', 'POST']) {
    const given = await owner.call(method, path(guest.id, low.id))
    assert.deepEqual(given, { status: 200, code: null, body: undefined })
    assert.deepEqual(await rolesOf(guest), [low.id])
    const taken = await owner.call('DELETE', path(guest.id, low.id))
    assert.deepEqual(taken, { status: 204, code: null, body: undefined })
    assert.deepEqual(await rolesOf(guest), [])
  }
})

test('ROLE-12: a body of the request is ignored', async () => {
  assert.equal((await owner.call('PUT', path(guest.id, low.id), 'not even JSON')).status, 200)
  assert.deepEqual(await rolesOf(guest), [low.id])
})

test('ROLE-13: the space receives the member with all their roles, on its own topic only', async () => {
  const [before, access] = [await published(), await listJournal(server, topicOf.access(spaceId))]
  await owner.client.roles.assign(spaceId, guest.id, top.id)
  await owner.client.roles.assign(spaceId, guest.id, low.id)
  const { user, position, ...member } = await owner.client.members.get(spaceId, guest.id)
  await owner.client.roles.remove(spaceId, guest.id, top.id)
  const update = (roles: string[]) => ({
    name: 'SPACE_MEMBER_UPDATE',
    audience: 0,
    data: { ...member, roles },
  })
  assert.deepEqual((await published()).slice(before.length), [
    update([top.id]),
    update([low.id, top.id].toSorted()),
    update([low.id]),
  ])
  assert.deepEqual(await listJournal(server, topicOf.access(spaceId)), access)
})

test('ROLE-12: repeating has no effect, and is published once', async () => {
  await owner.client.roles.assign(spaceId, guest.id, low.id)
  const assigned = await published()
  assert.equal((await owner.call('PUT', path(guest.id, low.id))).status, 200)
  assert.deepEqual(await published(), assigned)
  await owner.client.roles.remove(spaceId, guest.id, low.id)
  const removed = await published()
  assert.equal(removed.length, assigned.length + 1)
  assert.equal((await owner.call('DELETE', path(guest.id, low.id))).status, 204)
  assert.deepEqual(await published(), removed)
})

test('ROLE-2: every id is 403 without ManageRoles, so the members are not revealed', async () => {
  const ids = [owner.id, guest.id, outsider.id, newId()]
  for (const id of ids)
    for (const role of [low.id, top.id, spaceId, newId()]) {
      assert.deepEqual(await answers(guest, id, role), ['missing_permission', 'missing_permission'])
      assert.deepEqual(await answers(outsider, id, role), ['not_a_member', 'not_a_member'])
    }
})

test('ROLE-12: the member is checked first, then @everyone, then the role and its position', async () => {
  const elsewhere = (await makeSpace(owner)).id
  const foreign = await giveRole(owner, elsewhere, [])
  const nobodies = [outsider.id, newId(), low.id, spaceId]
  const theirs = nobodies.flatMap((id) =>
    [low.id, top.id, spaceId, foreign.id].map((role) => [id, role] as const),
  )
  const cases = [
    ...theirs.map(([member, role]) => [member, role, 'unknown_member'] as const),
    ...[foreign.id, elsewhere, guest.id, newId()].map((role) => [guest.id, role, 'unknown_role'] as const),
    [guest.id, spaceId, 'everyone_is_fixed'] as const,
  ]
  for (const [member, role, code] of cases) {
    assert.deepEqual(await answers(owner, member, role), [code, code])
    assert.deepEqual(await answers(mod, member, role), [code, code])
  }
  assert.deepEqual(await answers(mod, guest.id, top.id), ['role_not_below', 'role_not_below'])
  await owner.client.roles.update(spaceId, spaceId, { permissions: ManageRoles })
  assert.deepEqual(await answers(guest, guest.id, spaceId), ['everyone_is_fixed', 'everyone_is_fixed'])
  assert.deepEqual(await answers(guest, guest.id, low.id), ['role_not_below', 'role_not_below'])
})

test('ROLE-7: only the owner can give and take roles that are not below their highest', async () => {
  const before = await published()
  for (const role of [own, top])
    assert.deepEqual(await answers(mod, guest.id, role.id), ['role_not_below', 'role_not_below'])
  assert.deepEqual(await published(), before)
  assert.deepEqual(await answers(mod, guest.id, low.id), [200, 204])
  for (const role of [own, top]) assert.deepEqual(await answers(owner, guest.id, role.id), [200, 204])
  await owner.client.roles.update(spaceId, own.id, { permissions: Administrator })
  assert.deepEqual(await answers(mod, guest.id, top.id), ['role_not_below', 'role_not_below'])
})

test('ROLE-12: the role’s position counts, not the member’s, nor its permissions', async () => {
  await owner.client.roles.assign(spaceId, guest.id, top.id)
  assert.deepEqual(await answers(mod, guest.id, low.id), [200, 204])
  assert.deepEqual(await answers(mod, owner.id, low.id), [200, 204])
  assert.deepEqual(await answers(mod, mod.id, low.id), [200, 204])
  assert.deepEqual(await answers(mod, mod.id, own.id), ['role_not_below', 'role_not_below'])
})

test('ROLE-12: roles end with the membership', async () => {
  await owner.client.roles.assign(spaceId, guest.id, top.id)
  await guest.client.members.leave(spaceId)
  const answer = await owner.call('PUT', path(guest.id, top.id))
  assert.deepEqual([answer.status, answer.code], [404, 'unknown_member'])
})
