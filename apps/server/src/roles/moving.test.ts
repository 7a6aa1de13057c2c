import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import type { Role } from '@foyer/protocol/roles'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
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
/** Roles `a` to `e` at positions 1 to 5. `mod` has `d`, which grants ManageRoles. */
let roles: Map<string, Role>

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  mod = await createPerson(server, 'mod')
  guest = await createPerson(server, 'guest')
})
after(() => server.close())

beforeEach(async () => {
  spaceId = (await makeSpace(owner, [mod, guest])).id
  roles = new Map()
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    roles.set(name, await giveRole(owner, spaceId, [], { name, permissions: Permission.ManageRoles }))
  await owner.client.roles.assign(spaceId, mod.id, idOf('d'))
})

function idOf(name: string): string {
  return roles.get(name)?.id ?? ''
}

async function move(person: Person, name: string, position: number) {
  const { status, code } = await person.call('PATCH', `/api/spaces/${spaceId}/roles/${idOf(name)}`, {
    position,
  })
  return code ?? status
}

/** Returns the names of the roles above @everyone, lowest first, and checks that their positions have no gaps. */
async function order(): Promise<string> {
  const [everyone, ...others] = await owner.client.roles.list(spaceId)
  assert.equal(everyone?.id, spaceId)
  assert.deepEqual(
    others.map(({ position }) => position),
    others.map((_, index) => index + 1),
  )
  return others.map(({ name }) => name).join('')
}

test('ROLE-9: a role moves to its position, and the others close up and make room', async () => {
  const moves: [string, number, string][] = [
    ['b', 4, 'acdbe'],
    ['b', 2, 'abcde'],
    ['e', 1, 'eabcd'],
    ['e', 5, 'abcde'],
    ['a', 2147483647, 'bcdea'],
    ['a', 6, 'bcdea'],
    ['c', 3, 'bdcea'],
  ]
  for (const [name, position, expected] of moves) {
    assert.equal(await move(owner, name, position), 200)
    assert.equal(await order(), expected, `${name} to ${position}`)
  }
})

test('ROLE-9: the space receives every role whose position changed, and no other', async () => {
  const before = (await listJournal(server, topicOf.space(spaceId))).length
  await move(owner, 'b', 4)
  const told = (await listJournal(server, topicOf.space(spaceId))).slice(before)
  const after = await owner.client.roles.list(spaceId)
  assert.deepEqual(
    told,
    after.slice(2, 5).map((data) => ({ name: 'SPACE_ROLE_UPDATE', audience: 0, data })),
  )
  const [, , c, , b] = after
  assert.deepEqual([c?.name, b?.name], ['c', 'b'])
  assert.equal(c?.updated_at, roles.get('c')?.updated_at)
  assert.ok(b && b.updated_at > (roles.get('b')?.updated_at ?? ''))
})

test('ROLE-9: only the owner can move a role to or above their own highest', async () => {
  assert.equal(await move(mod, 'a', 3), 200)
  assert.equal(await order(), 'bcade')
  for (const position of [4, 5, 6, 2147483647]) assert.equal(await move(mod, 'a', position), 'role_not_below')
  for (const name of ['d', 'e']) assert.equal(await move(mod, name, 1), 'role_not_below')
  assert.equal(await order(), 'bcade')
})

test('ROLE-9: position 0 belongs to @everyone, and no other role goes there', async () => {
  for (const person of [owner, mod]) assert.equal(await move(person, 'a', 0), 'invalid_request')
  assert.equal(await move(owner, 'a', -1), 'invalid_request')
  assert.equal(await move(mod, 'e', 0), 'role_not_below')
  assert.equal(await order(), 'abcde')
})

test('ROLE-9: a member whose role moves down loses rank at once', async () => {
  assert.equal(await move(mod, 'c', 1), 200)
  assert.equal(await move(owner, 'd', 1), 200)
  assert.equal(await order(), 'dcabe')
  assert.equal(await move(mod, 'c', 3), 'role_not_below')
})

test('ROLE-14: a member’s position is that of their highest role, whatever moves', async () => {
  const position = async () => (await owner.client.members.get(spaceId, guest.id)).position
  assert.equal(await position(), 0)
  const { assign, remove } = {
    assign: (name: string) => owner.client.roles.assign(spaceId, guest.id, idOf(name)),
    remove: (name: string) => owner.client.roles.remove(spaceId, guest.id, idOf(name)),
  }
  await assign('b')
  assert.equal(await position(), 2)
  await assign('a')
  assert.equal(await position(), 2)
  await assign('d')
  assert.equal(await position(), 4)
  await remove('b')
  assert.equal(await position(), 4)
  await remove('d')
  assert.equal(await position(), 1)
  await assign('c')
  await move(owner, 'a', 5)
  assert.equal(await position(), 5)
  await move(owner, 'a', 1)
  assert.equal(await position(), 3)
  await move(owner, 'e', 1)
  assert.equal(await position(), 4)
  await owner.client.roles.delete(spaceId, idOf('c'))
  assert.equal(await position(), 2)
  await owner.client.roles.create(spaceId, { name: 'new' })
  assert.equal(await position(), 3)
  await owner.client.roles.delete(spaceId, idOf('a'))
  assert.equal(await position(), 0)
})

test('ROLE-14: members whose highest role stays are not written', async () => {
  const api = owner.client.roles
  const written = () =>
    server.deps.database.query(sql`
      select user_id, xmin::text from members where space_id = ${spaceId} order by user_id`)
  await api.assign(spaceId, guest.id, idOf('b'))
  await api.assign(spaceId, guest.id, idOf('d'))
  const before = await written()
  const moves: [string, number][] = [
    ['a', 3],
    ['a', 5],
    ['b', 1],
    ['e', 1],
    ['d', 5],
    ['d', 4],
    ['d', 5],
  ]
  for (const [name, position] of moves) assert.equal(await move(owner, name, position), 200)
  await api.create(spaceId, { name: 'new' })
  await api.delete(spaceId, idOf('c'))
  await api.assign(spaceId, guest.id, idOf('a'))
  await api.remove(spaceId, guest.id, idOf('b'))
  assert.deepEqual(await written(), before)
  assert.equal(await move(owner, 'a', 5), 200)
  assert.notDeepEqual(await written(), before)
})
