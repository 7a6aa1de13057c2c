import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { CreateGroupRoleBody } from '@foyer/protocol/group-roles'
import { Permission } from '@foyer/protocol/permissions'
import { AuditLog } from '@foyer/sdk/api/audit-log'
import { GroupRoles } from '@foyer/sdk/api/group-roles'
import { newId } from '#src/kernel/ids.ts'
import { enqueueFirst } from '#src/kernel/jobs.ts'
import { groupKey } from '#src/kernel/oidc/group-keys.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { emailOf, send } from '#test/scenes/accounts.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { logInAs, type SignedIn, type SignInScene, signUpAs, startSignInScene } from '#test/sign-in/scene.ts'
import { until } from '#test/until.ts'

/** Claims of the people at the provider, which a test changes between log-ins. */
const people: Record<string, Record<string, unknown>> = {}

let scene: SignInScene
let owner: Person
let space: TestSpace
let ann: SignedIn
let name: string
let count = 0

before(async () => {
  scene = await startSignInScene(people)
})
after(() => scene.close())
beforeEach(async () => {
  count += 1
  name = `ann${count}`
  people[name] = { email: emailOf(name), email_verified: true, preferred_username: name }
  owner = await createPerson(scene.server, `owner${count}`)
  ann = await signUpAs(scene, name)
  space = await makeSpace(owner)
  await join(space)
})

async function join({ id, general }: TestSpace): Promise<void> {
  const { code } = await owner.client.invites.create(id, general)
  const { status } = await send(scene.server, 'POST', `/api/invites/${code}`, { headers: ann.headers })
  assert.equal(status, 200)
}

const groupRoles = ({ client }: Person) => client.api(GroupRoles)

async function newRole(): Promise<string> {
  return (await owner.client.roles.create(space.id, { name: 'role' })).id
}

function map(group: string, role_id: string, by = owner, rest: Partial<CreateGroupRoleBody> = {}) {
  return groupRoles(by).create(space.id, { provider: 'main', group, role_id, ...rest })
}

async function awaitFollowed(): Promise<void> {
  const isDone = async () => {
    const jobs = await scene.server.deps.database.execute(
      sql`select id from graphile_worker.jobs where task_identifier = 'follow_groups'`,
    )
    return jobs.length === 0
  }
  await until(isDone, 'the roles follow the groups')
}

/** Logs in with these groups; undefined leaves out the claim. */
async function logInWithGroups(groups: unknown): Promise<void> {
  people[name] = { ...people[name], groups }
  await logInAs(scene, name)
  await awaitFollowed()
}

async function rolesOf({ id }: TestSpace = space): Promise<readonly string[]> {
  return (await owner.client.members.get(id, ann.answer.user.id)).roles
}

test('OIDC-15: a member has the roles of their groups from the next log-in on, and no longer after it', async () => {
  const [staff, crew] = [await newRole(), await newRole()]
  await map('staff', staff)
  await map('crew', crew)
  assert.deepEqual(await rolesOf(), [], 'nothing changes before a log-in')
  await logInWithGroups(['staff', 'others'])
  assert.deepEqual(await rolesOf(), [staff])
  await logInWithGroups(['staff', 'crew'])
  assert.deepEqual((await rolesOf()).toSorted(), [staff, crew].toSorted())
  await logInWithGroups('crew')
  assert.deepEqual(await rolesOf(), [crew])
  await logInWithGroups(undefined)
  assert.deepEqual(await rolesOf(), [])
})

test('OIDC-15: of several groups of a role, one is enough', async () => {
  const role = await newRole()
  await map('north', role)
  await map('south', role)
  await logInWithGroups(['south'])
  assert.deepEqual(await rolesOf(), [role])
  await logInWithGroups(['north'])
  assert.deepEqual(await rolesOf(), [role])
})

test('OIDC-15: roles that no group decides about stay, and mapped ones follow the groups also if given by hand', async () => {
  const [own, mapped] = [await newRole(), await newRole()]
  const { id } = ann.answer.user
  await owner.client.roles.assign(space.id, id, own)
  await owner.client.roles.assign(space.id, id, mapped)
  const { id: mapping } = await map('staff', mapped)
  await logInWithGroups([])
  assert.deepEqual(await rolesOf(), [own])
  await logInWithGroups(['staff'])
  await groupRoles(owner).delete(space.id, mapping)
  await logInWithGroups([])
  assert.deepEqual((await rolesOf()).toSorted(), [own, mapped].toSorted(), 'without the mapping it stays')
})

test('OIDC-15: a role that another provider gave is its own', async () => {
  const role = await newRole()
  await map('staff', role)
  await owner.client.roles.assign(space.id, ann.answer.user.id, role)
  await scene.server.deps.database.execute(
    sql`update member_roles set issuer = 'https://other.example.org' where role_id = ${role}`,
  )
  await logInWithGroups([])
  assert.deepEqual(await rolesOf(), [role])
})

test('OIDC-15: nobody joins a space by a group', async () => {
  const other = await makeSpace(owner)
  const role = (await owner.client.roles.create(other.id, { name: 'role' })).id
  await groupRoles(owner).create(other.id, { provider: 'main', group: 'staff', role_id: role })
  await logInWithGroups(['staff'])
  const member = owner.client.members.get(other.id, ann.answer.user.id)
  await assert.rejects(member, { code: 'unknown_member' })
  await join(other)
  assert.deepEqual(await rolesOf(other), [])
  await logInWithGroups(['staff'])
  assert.deepEqual(await rolesOf(other), [role])
})

test('OIDC-15: an older log-in whose work is late changes nothing', async () => {
  const role = await newRole()
  await map('staff', role)
  await logInWithGroups(['staff'])
  await logInWithGroups([])
  const { id } = ann.answer.user
  const late = { user_id: id, issuer: scene.provider.settings.issuer, groups: [groupKey('staff')], number: 1 }
  await scene.server.deps.database.transaction((transaction) =>
    enqueueFirst(transaction, 'follow_groups', late),
  )
  await awaitFollowed()
  assert.deepEqual(await rolesOf(), [])
})

test('OIDC-15: the audit log says that it was the provider', async () => {
  const role = await newRole()
  await map('staff', role)
  await logInWithGroups(['staff'])
  await logInWithGroups([])
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
  const manager = await createPerson(scene.server, `manager${count}`)
  const { code } = await owner.client.invites.create(space.id, space.general)
  await manager.client.invites.join(code)
  const permissions = Permission.ManageRoles
  const { id: rank } = await owner.client.roles.create(space.id, { name: 'managers', permissions })
  await owner.client.roles.assign(space.id, manager.id, rank)
  return { manager, rank }
}

test('OIDC-16: setting a role for a group needs the right to give it', async () => {
  const high = await newRole()
  const { manager, rank } = await makeManager()
  await owner.client.roles.update(space.id, high, { position: 2 })
  const low = await newRole()
  const stranger = await createPerson(scene.server, `stranger${count}`)
  for (const role of [high, rank])
    await assert.rejects(map('staff', role, manager), { status: 403, code: 'role_not_below' })
  await assert.rejects(map('staff', space.id, owner), { status: 400, code: 'everyone_is_fixed' })
  await assert.rejects(map('staff', newId(), manager), { status: 404, code: 'unknown_role' })
  await assert.rejects(map('staff', low, stranger), { status: 403, code: 'not_a_member' })
  const asAnn = { headers: ann.headers, body: { provider: 'main', group: 'staff', role_id: low } }
  const path = `/api/spaces/${space.id}/group-roles`
  for (const method of ['GET', 'POST'] as const) {
    const request = method === 'GET' ? { headers: ann.headers } : asAnn
    assert.equal((await send(scene.server, method, path, request)).code, 'missing_permission')
  }
  const elsewhere = map('staff', low, owner, { provider: 'elsewhere' })
  await assert.rejects(elsewhere, { status: 404, code: 'unknown_provider' })
  for (const group of ['', 'x'.repeat(513)])
    await assert.rejects(map(group, low), { status: 400, code: 'invalid_request' })
  assert.deepEqual(await groupRoles(owner).list(space.id), [])
  const set = await map('staff', low, manager)
  assert.deepEqual(await groupRoles(owner).list(space.id), [set])
  assert.deepEqual(
    [set.provider, set.group, set.role_id, set.set_by, set.is_working],
    [{ id: 'main', name: 'Main login' }, 'staff', low, manager.id, true],
  )
})

test('OIDC-16: ending it needs the same right', async () => {
  const high = await newRole()
  const { manager } = await makeManager()
  await owner.client.roles.update(space.id, high, { position: 2 })
  const { id } = await map('staff', high)
  await assert.rejects(groupRoles(manager).delete(space.id, id), { status: 403, code: 'role_not_below' })
  await assert.rejects(groupRoles(owner).delete(space.id, newId()), { code: 'unknown_group_role' })
  const other = await makeSpace(owner)
  await assert.rejects(groupRoles(owner).delete(other.id, id), { code: 'unknown_group_role' })
  await groupRoles(owner).delete(space.id, id)
  assert.deepEqual(await groupRoles(owner).list(space.id), [])
})

test('OIDC-16: a group gives no role that who set it may no longer give', async () => {
  const { manager, rank } = await makeManager()
  const low = await newRole()
  await map('staff', low, manager)
  const isWorking = async () => (await groupRoles(owner).list(space.id))[0]?.is_working
  assert.equal(await isWorking(), true)
  await owner.client.roles.update(space.id, low, { position: 2 })
  assert.equal(await isWorking(), false, 'the role is above them now')
  await logInWithGroups(['staff'])
  assert.deepEqual(await rolesOf(), [])
  await owner.client.roles.update(space.id, low, { position: 1 })
  await logInWithGroups(['staff'])
  assert.deepEqual(await rolesOf(), [low])
  await owner.client.roles.update(space.id, rank, { permissions: 0 })
  await logInWithGroups([])
  assert.deepEqual(await rolesOf(), [low], 'nor does it take one')
  await map('staff', low, owner)
  assert.equal((await groupRoles(owner).list(space.id)).length, 1, 'set again, it is that of the owner')
  await logInWithGroups([])
  assert.deepEqual(await rolesOf(), [])
})

test('OIDC-16: it ends with the role, and when who set it has left, it does not count', async () => {
  const { manager } = await makeManager()
  const low = await newRole()
  await map('staff', low, manager)
  await manager.client.members.leave(space.id)
  await logInWithGroups(['staff'])
  assert.deepEqual(await rolesOf(), [])
  assert.equal((await groupRoles(owner).list(space.id))[0]?.is_working, false)
  await owner.client.roles.delete(space.id, low)
  assert.deepEqual(await groupRoles(owner).list(space.id), [])
})
