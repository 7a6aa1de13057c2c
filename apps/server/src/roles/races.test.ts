import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_ROLES } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import type { Role } from '@foyer/protocol/roles'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let mod: Person
let guest: Person
let spaceId: string
let low: Role
let own: Role

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
  own = await giveRole(owner, spaceId, [mod], { name: 'own', permissions: Permission.ManageRoles })
})

type Call = () => Promise<string | number>

function request(person: Person, method: string, path: string, body?: unknown): Call {
  return async () => {
    const { status, code } = await person.call(method, `/api/spaces/${spaceId}${path}`, body)
    return code ?? status
  }
}

const create = (person = owner) => request(person, 'POST', '/roles', { name: 'new' })
const move = (role: Role, position: number) => request(owner, 'PATCH', `/roles/${role.id}`, { position })
const remove = (role: Role) => request(owner, 'DELETE', `/roles/${role.id}`)
const assign = (person: Person, role: Role) => request(person, 'PUT', `/members/${guest.id}/roles/${role.id}`)

/** Queues the calls at the space's lock, in order, then releases it. */
async function atOnce(calls: readonly Call[]): Promise<(string | number)[]> {
  const lock = await holdLock(server, sql`select from spaces where id = ${spaceId} for no key update`)
  const answers: Promise<string | number>[] = []
  for (const call of calls) {
    answers.push(call())
    await lock.waitForBlocked(answers.length)
  }
  await lock.release()
  return Promise.all(answers)
}

async function order(): Promise<string[]> {
  const roles = await owner.client.roles.list(spaceId)
  assert.deepEqual(
    roles.map(({ position }) => position),
    roles.map((_, index) => index),
  )
  return roles.slice(1).map(({ name }) => name)
}

test('ROLE-1: positions stay dense and unique, however many roles are created and moved at once', async () => {
  const third = await giveRole(owner, spaceId, [], { name: 'third' })
  const calls = [create(), move(low, 3), create(), move(third, 1), create(), move(own, 2), remove(third)]
  assert.deepEqual(await atOnce(calls), [200, 200, 200, 200, 200, 200, 204])
  assert.deepEqual(await order(), ['new', 'own', 'new', 'new', 'low'])
})

test('ROLE-4: simultaneous creations do not exceed the limit', async () => {
  await server.deps.database.execute(sql`
    insert into roles (space_id, id, name, permissions, position)
    select ${spaceId}, gen_random_uuid(), 'role', 0, n from generate_series(3, ${MAX_ROLES - 3}::integer) n`)
  assert.deepEqual(await atOnce([create(), create(), create(), create()]), [
    200,
    200,
    'too_many_roles',
    'too_many_roles',
  ])
  assert.equal((await order()).length, MAX_ROLES - 1)
})

test('ROLE-15: a role deleted first is 404, and one given first is taken by the deletion', async () => {
  const gone = await atOnce([remove(low), assign(owner, low), move(low, 2), remove(low)])
  assert.deepEqual(gone, [204, 'unknown_role', 'unknown_role', 'unknown_role'])
  assert.deepEqual(await atOnce([assign(owner, own), remove(own)]), [200, 204])
  const { roles, position } = await owner.client.members.get(spaceId, guest.id)
  assert.deepEqual([roles, position], [[], 0])
})

test('ROLE-15: a member who leaves first is given nothing', async () => {
  const leave = request(guest, 'DELETE', '/members/@me')
  assert.deepEqual(await atOnce([leave, assign(owner, low)]), [204, 'unknown_member'])
})

test('ROLE-15: two simultaneous assignments of one role publish one event', async () => {
  const before = (await listJournal(server, topicOf.space(spaceId))).length
  assert.deepEqual(await atOnce([assign(owner, low), assign(mod, low)]), [200, 200])
  assert.equal((await listJournal(server, topicOf.space(spaceId))).length, before + 1)
})

test('ROLE-15: a caller who has lost the permission, the role or the rank is refused', async () => {
  const rename = request(mod, 'PATCH', `/roles/${low.id}`, { name: 'mine' })
  const delist = request(mod, 'DELETE', `/roles/${low.id}`)
  const strip = ({ id }: Role) => request(owner, 'PATCH', `/roles/${id}`, { permissions: 0 })
  const lower = (role: Role) => move(role, 1)
  const leave = () => request(mod, 'DELETE', '/members/@me')
  const cases: [(role: Role) => Call, Call, string][] = [
    [strip, create(mod), 'missing_permission'],
    [strip, rename, 'missing_permission'],
    [strip, delist, 'missing_permission'],
    [strip, assign(mod, low), 'missing_permission'],
    [lower, rename, 'role_not_below'],
    [lower, delist, 'role_not_below'],
    [lower, assign(mod, low), 'role_not_below'],
    [remove, create(mod), 'missing_permission'],
    [leave, assign(mod, low), 'not_a_member'],
  ]
  await owner.client.roles.delete(spaceId, own.id)
  for (const [demote, attempt, refusal] of cases) {
    const role = await giveRole(owner, spaceId, [mod], { name: 'own', permissions: Permission.ManageRoles })
    const [, answer] = await atOnce([demote(role), attempt])
    assert.equal(answer, refusal)
    await remove(role)()
  }
  assert.deepEqual(await order(), ['low'])
})

test('ROLE-15: a role raised above the caller is out of reach, also for moving it down', async () => {
  const lower = request(mod, 'PATCH', `/roles/${low.id}`, { position: 1 })
  assert.deepEqual(await atOnce([move(low, 2), lower]), [200, 'role_not_below'])
  assert.deepEqual(await order(), ['own', 'low'])
})

test('ROLE-15: a permission that the caller has lost is not given', async () => {
  const { ManageRoles, PinMessages } = Permission
  await owner.client.roles.update(spaceId, own.id, { permissions: ManageRoles | PinMessages })
  const take = request(owner, 'PATCH', `/roles/${own.id}`, { permissions: ManageRoles })
  const body = { name: 'new', permissions: PinMessages }
  const calls = [take, request(mod, 'POST', '/roles', body), request(mod, 'PATCH', `/roles/${low.id}`, body)]
  assert.deepEqual(await atOnce(calls), [200, 'permission_not_held', 'permission_not_held'])
})

test('ROLE-15: a role that another user lowered keeps its new position', async () => {
  await giveRole(owner, spaceId, [], { name: 'third' })
  const rename = request(owner, 'PATCH', `/roles/${low.id}`, { name: 'renamed' })
  assert.deepEqual(await atOnce([move(low, 3), rename]), [200, 200])
  assert.deepEqual(await order(), ['own', 'third', 'renamed'])
})
