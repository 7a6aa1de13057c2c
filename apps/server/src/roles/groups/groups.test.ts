import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { AuditAction } from '@foyer/protocol/audit-actions'
import { Permission } from '@foyer/protocol/permissions'
import { AuditLog } from '@foyer/sdk/api/audit-log'
import { GroupRoles } from '@foyer/sdk/api/group-roles'
import { newId } from '#src/kernel/ids.ts'
import { send } from '#test/scenes/accounts.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { type GroupPlace, type GroupScene, startGroupScene } from '#test/sign-in/group-scene.ts'
import type { SignedIn, SignInScene } from '#test/sign-in/scene.ts'

let groupScene: GroupScene
let scene: SignInScene
let place: GroupPlace
let owner: Person
let space: TestSpace
let ann: SignedIn

before(async () => {
  groupScene = await startGroupScene()
  scene = groupScene.scene
})
after(() => groupScene.close())
beforeEach(async () => {
  place = await groupScene.newPlace()
  ;({ owner, space, ann } = place)
})

const groupRoles = ({ client }: Person) => client.api(GroupRoles)

test('OIDC-15: a member has the roles of their groups from the next login on, and no longer after it', async () => {
  const [staff, crew] = [await place.newRole(), await place.newRole()]
  await place.map('staff', staff)
  await place.map('crew', crew)
  assert.deepEqual(await place.rolesOf(), [], 'nothing changes before a login')
  await place.logInWithGroups(['staff', 'others'])
  assert.deepEqual(await place.rolesOf(), [staff])
  await place.logInWithGroups(['staff', 'crew'])
  assert.deepEqual((await place.rolesOf()).toSorted(), [staff, crew].toSorted())
  await place.logInWithGroups('crew')
  assert.deepEqual(await place.rolesOf(), [crew])
  await place.logInWithGroups(undefined)
  assert.deepEqual(await place.rolesOf(), [])
})

test('OIDC-15: of several groups of a role, one is enough', async () => {
  const role = await place.newRole()
  await place.map('north', role)
  await place.map('south', role)
  await place.logInWithGroups(['south'])
  assert.deepEqual(await place.rolesOf(), [role])
  await place.logInWithGroups(['north'])
  assert.deepEqual(await place.rolesOf(), [role])
})

test('OIDC-15: roles that no group decides about stay, and mapped ones follow the groups also if given by hand', async () => {
  const [own, mapped] = [await place.newRole(), await place.newRole()]
  const { id } = ann.answer.user
  await owner.client.roles.assign(space.id, id, own)
  await owner.client.roles.assign(space.id, id, mapped)
  const { id: mapping } = await place.map('staff', mapped)
  await place.logInWithGroups([])
  assert.deepEqual(await place.rolesOf(), [own])
  await place.logInWithGroups(['staff'])
  await groupRoles(owner).delete(space.id, mapping)
  await place.logInWithGroups([])
  assert.deepEqual(
    (await place.rolesOf()).toSorted(),
    [own, mapped].toSorted(),
    'without the mapping it stays',
  )
})

test('OIDC-15: nobody joins a space by a group', async () => {
  const other = await makeSpace(owner)
  const role = (await owner.client.roles.create(other.id, { name: 'role' })).id
  await groupRoles(owner).create(other.id, { provider: 'main', group: 'staff', role_id: role })
  await place.logInWithGroups(['staff'])
  const member = owner.client.members.get(other.id, ann.answer.user.id)
  await assert.rejects(member, { code: 'unknown_member' })
  await place.join(other)
  assert.deepEqual(await place.rolesOf(other), [])
  await place.logInWithGroups(['staff'])
  assert.deepEqual(await place.rolesOf(other), [role])
})

test('OIDC-15: the audit log says that it was the provider', async () => {
  const role = await place.newRole()
  await place.map('staff', role)
  await place.logInWithGroups(['staff'])
  await place.logInWithGroups([])
  const { entries } = await owner.client.api(AuditLog).list(space.id, { target_id: ann.answer.user.id })
  const said = entries.map(({ action, actor_id, before, after }) => [action, actor_id, before, after])
  const fields = { role_id: role, provider: 'Main login' }
  assert.deepEqual(said.slice(0, 2), [
    ['role_remove', null, fields, null],
    ['role_assign', null, null, fields],
  ])
})

/** A member who manages roles, with the highest role at this moment. */
async function makeManager(): Promise<{ manager: Person; rank: string }> {
  const manager = await createPerson(scene.server, `manager${place.name}`)
  const { code } = await owner.client.invites.create(space.id, space.general)
  await manager.client.invites.join(code)
  const permissions = Permission.ManageRoles
  const { id: rank } = await owner.client.roles.create(space.id, { name: 'managers', permissions })
  await owner.client.roles.assign(space.id, manager.id, rank)
  return { manager, rank }
}

test('OIDC-16: setting a role for a group needs the right to give it', async () => {
  const high = await place.newRole()
  const { manager, rank } = await makeManager()
  await owner.client.roles.update(space.id, high, { position: 2 })
  const low = await place.newRole()
  const stranger = await createPerson(scene.server, `stranger${place.name}`)
  for (const role of [high, rank])
    await assert.rejects(place.map('staff', role, manager), { status: 403, code: 'role_not_below' })
  await assert.rejects(place.map('staff', space.id, owner), { status: 400, code: 'everyone_is_fixed' })
  await assert.rejects(place.map('staff', newId(), manager), { status: 404, code: 'unknown_role' })
  await assert.rejects(place.map('staff', low, stranger), { status: 403, code: 'not_a_member' })
  const asAnn = { headers: ann.headers, body: { provider: 'main', group: 'staff', role_id: low } }
  const path = `/api/spaces/${space.id}/group-roles`
  for (const method of ['GET', 'POST'] as const) {
    const request = method === 'GET' ? { headers: ann.headers } : asAnn
    assert.equal((await send(scene.server, method, path, request)).code, 'missing_permission')
  }
  const elsewhere = place.map('staff', low, owner, { provider: 'elsewhere' })
  await assert.rejects(elsewhere, { status: 404, code: 'unknown_provider' })
  for (const group of ['', 'x'.repeat(513)])
    await assert.rejects(place.map(group, low), { status: 400, code: 'invalid_request' })
  assert.deepEqual(await groupRoles(owner).list(space.id), [])
  const set = await place.map('staff', low, manager)
  assert.deepEqual(await groupRoles(owner).list(space.id), [set])
  assert.deepEqual(
    [set.provider, set.group, set.role_id, set.set_by, set.is_working],
    [{ id: 'main', name: 'Main login' }, 'staff', low, manager.id, true],
  )
})

test('OIDC-16: ending it needs the same right', async () => {
  const high = await place.newRole()
  const { manager } = await makeManager()
  await owner.client.roles.update(space.id, high, { position: 2 })
  const { id } = await place.map('staff', high)
  await assert.rejects(groupRoles(manager).delete(space.id, id), { status: 403, code: 'role_not_below' })
  await assert.rejects(groupRoles(owner).delete(space.id, newId()), { code: 'unknown_group_role' })
  const other = await makeSpace(owner)
  await assert.rejects(groupRoles(owner).delete(other.id, id), { code: 'unknown_group_role' })
  await groupRoles(owner).delete(space.id, id)
  assert.deepEqual(await groupRoles(owner).list(space.id), [])
})

async function entriesAbout(roleId: string, action: AuditAction) {
  const { entries } = await owner.client.api(AuditLog).list(space.id, { target_id: roleId, action })
  return entries.map(({ actor_id, before, after }) => [actor_id, before, after])
}

test('OIDC-16: a group gives no role that who set it may no longer give', async () => {
  const { manager, rank } = await makeManager()
  const low = await place.newRole()
  await place.map('staff', low, manager)
  const isWorking = async () => (await groupRoles(owner).list(space.id))[0]?.is_working
  assert.equal(await isWorking(), true)
  await owner.client.roles.update(space.id, low, { position: 2 })
  assert.equal(await isWorking(), false, 'the role is above them now')
  await place.logInWithGroups(['staff'])
  assert.deepEqual(await place.rolesOf(), [])
  await owner.client.roles.update(space.id, low, { position: 1 })
  await place.logInWithGroups(['staff'])
  assert.deepEqual(await place.rolesOf(), [low])
  await owner.client.roles.update(space.id, rank, { permissions: 0 })
  await place.logInWithGroups([])
  assert.deepEqual(await place.rolesOf(), [low], 'nor does it take one')
  await place.map('staff', low, owner)
  assert.equal((await groupRoles(owner).list(space.id)).length, 1, 'set again, it is that of the owner')
  assert.deepEqual(await entriesAbout(low, 'group_role_update'), [
    [owner.id, null, { provider: 'Main login', group: 'staff' }],
  ])
  await place.map('staff', low, owner)
  assert.equal(
    (await entriesAbout(low, 'group_role_update')).length,
    1,
    'by the same person, nothing changes',
  )
  await place.logInWithGroups([])
  assert.deepEqual(await place.rolesOf(), [])
})

test('OIDC-16: it ends with the role, and when who set it has left, it does not count', async () => {
  const { manager } = await makeManager()
  const low = await place.newRole()
  await place.map('staff', low, manager)
  await manager.client.members.leave(space.id)
  await place.logInWithGroups(['staff'])
  assert.deepEqual(await place.rolesOf(), [])
  assert.equal((await groupRoles(owner).list(space.id))[0]?.is_working, false)
  await owner.client.roles.delete(space.id, low)
  assert.deepEqual(await groupRoles(owner).list(space.id), [])
})
