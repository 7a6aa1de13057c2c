import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { ALL_PERMISSIONS, DEFAULT_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import type { Role, UpdateRoleBody } from '@foyer/protocol/roles'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { ManageRoles, ManageMessages, PinMessages, Administrator } = Permission

let server: TestServer
let owner: Person
let mod: Person
let guest: Person
let spaceId: string
/** Role below `own`, which grants `mod` ManageRoles. `top` is above both. */
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
  spaceId = (await makeSpace(owner, [mod, guest])).id
  low = await giveRole(owner, spaceId, [], { name: 'low' })
  own = await giveRole(owner, spaceId, [mod], { name: 'own', permissions: ManageRoles })
  top = await giveRole(owner, spaceId, [], { name: 'top' })
})

async function update(person: Person, { id }: Pick<Role, 'id'>, body: unknown) {
  const { status, code } = await person.call('PATCH', `/api/spaces/${spaceId}/roles/${id}`, body)
  return code ?? status
}

const roleNow = async ({ id }: Pick<Role, 'id'>) =>
  (await owner.client.roles.list(spaceId)).find((role) => role.id === id)
const published = () => listJournal(server, topicOf.space(spaceId))
const accessChanges = async () => (await listJournal(server, topicOf.access(spaceId))).length

test('ROLE-6: an update keeps omitted fields, and the space receives the updated role', async () => {
  const before = (await published()).length
  const body = { name: ' New ', color_from: 255, color_to: -1, hoisted: true }
  const updated = await owner.client.roles.update(spaceId, low.id, body)
  const expected = { ...low, ...body, name: 'New', updated_at: updated.updated_at }
  assert.deepEqual(updated, expected)
  assert.ok(updated.updated_at > low.updated_at)
  assert.deepEqual(await roleNow(low), updated)
  const answer = await owner.call('PUT', `/api/spaces/${spaceId}/roles/${low.id}`, { color_via: 7 })
  assert.partialDeepStrictEqual(answer, { status: 200, body: { ...body, name: 'New', color_via: 7 } })
  assert.deepEqual((await published()).slice(before), [
    { name: 'SPACE_ROLE_UPDATE', audience: 0, data: updated },
    { name: 'SPACE_ROLE_UPDATE', audience: 0, data: answer.body },
  ])
})

test('ROLE-6: null clears a color, and clear_colors all of them, whatever else is given', async () => {
  const colors = { color_from: 1, color_via: 2, color_to: 3 }
  const colorsAfter = async (body: UpdateRoleBody) => {
    await owner.client.roles.update(spaceId, low.id, colors)
    const { color_from, color_via, color_to } = await owner.client.roles.update(spaceId, low.id, body)
    return [color_from, color_via, color_to]
  }
  assert.deepEqual(await colorsAfter({ color_via: null }), [1, null, 3])
  assert.deepEqual(await colorsAfter({ color_from: 0 }), [0, 2, 3])
  assert.deepEqual(await colorsAfter({ clear_colors: true }), [null, null, null])
  assert.deepEqual(await colorsAfter({ clear_colors: true, color_from: 9 }), [null, null, null])
  assert.deepEqual(await colorsAfter({ clear_colors: false, color_from: 9 }), [9, 2, 3])
})

test('ROLE-6: an update without effect answers the role, and publishes nothing', async () => {
  const before = [await published(), await accessChanges()]
  const { name, permissions, color_from, hoisted, position } = low
  const same: UpdateRoleBody[] = [
    {},
    { clear_colors: true },
    { clear_colors: false },
    { name, permissions, color_from, hoisted, position },
  ]
  for (const body of same) assert.deepEqual(await owner.client.roles.update(spaceId, low.id, body), low)
  const highest = await owner.client.roles.update(spaceId, top.id, { position: 2147483647 })
  assert.deepEqual(highest, top)
  assert.deepEqual([await published(), await accessChanges()], before)
})

test('ROLE-7: only the owner can change roles that are not below their highest', async () => {
  for (const role of [own, top]) assert.equal(await update(mod, role, { name: 'mine' }), 'role_not_below')
  assert.equal(await update(mod, low, { name: 'mine' }), 200)
  assert.equal(await update(owner, top, { name: 'mine' }), 200)
})

test('ROLE-7: an administrator is bound by the hierarchy, too', async () => {
  await owner.client.roles.update(spaceId, own.id, { permissions: Administrator })
  for (const role of [own, top]) assert.equal(await update(mod, role, { name: 'mine' }), 'role_not_below')
  assert.equal(await update(mod, low, { permissions: ALL_PERMISSIONS }), 200)
})

test('ROLE-8: only permissions that the caller has can be added; keeping and removing is free', async () => {
  const permissions = ManageMessages | PinMessages
  await owner.client.roles.update(spaceId, low.id, { permissions })
  assert.equal(await update(mod, low, { permissions: permissions | ManageRoles }), 200)
  const added = permissions | ManageRoles | Administrator
  assert.equal(await update(mod, low, { permissions: added }), 'permission_not_held')
  assert.equal((await roleNow(low))?.permissions, permissions | ManageRoles)
  assert.equal(await update(mod, low, { permissions: PinMessages | DEFAULT_PERMISSIONS }), 200)
  assert.equal(await update(mod, low, { permissions }), 'permission_not_held')
  assert.equal(await update(mod, low, { permissions: 0 }), 200)
  assert.equal(await update(owner, low, { permissions: ALL_PERMISSIONS }), 200)
})

test('ROLE-10: a member with a role above it can change @everyone, but not its position', async () => {
  const everyone = { id: spaceId }
  assert.equal(await update(mod, everyone, { permissions: DEFAULT_PERMISSIONS & ~2 }), 200)
  assert.equal(await update(mod, everyone, { position: 0, name: 'all' }), 200)
  for (const position of [1, 3, 2147483647]) {
    assert.equal(await update(mod, everyone, { position }), 'everyone_is_fixed')
    assert.equal(await update(owner, everyone, { position, name: 'other' }), 'everyone_is_fixed')
  }
  assert.partialDeepStrictEqual(await roleNow(everyone), { name: 'all', position: 0 })
})

test('ROLE-10: a member with ManageRoles through @everyone alone is above no role, not even that', async () => {
  await owner.client.roles.update(spaceId, spaceId, { permissions: ManageRoles })
  assert.equal(await update(guest, { id: spaceId }, { name: 'mine' }), 'role_not_below')
  assert.equal(await update(guest, low, { name: 'mine' }), 'role_not_below')
})

test('ROLE-13: the server is notified of changed permissions, and of no other change', async () => {
  const before = await accessChanges()
  const changes: UpdateRoleBody[] = [{ name: 'x' }, { hoisted: true }, { color_to: 1 }, { position: 2 }]
  for (const body of changes) await owner.client.roles.update(spaceId, low.id, body)
  assert.equal(await accessChanges(), before)
  await owner.client.roles.update(spaceId, low.id, { permissions: ManageMessages })
  assert.equal(await accessChanges(), before + 1)
})
