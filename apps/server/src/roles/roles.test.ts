import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_ROLES } from '@foyer/protocol/limits'
import { ALL_PERMISSIONS, DEFAULT_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { ManageRoles, ManageMessages, Administrator } = Permission

let server: TestServer
let owner: Person
let mod: Person
let guest: Person
let outsider: Person
let spaceId: string

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
})

const path = () => `/api/spaces/${spaceId}/roles`
const listed = async () =>
  (await owner.client.roles.list(spaceId)).map(({ name, position }) => [position, name])
const published = async () => listJournal(server, topicOf.space(spaceId))

test('ROLE-1: every member may list the roles, @everyone first', async () => {
  const low = await owner.client.roles.create(spaceId, { name: 'low' })
  const high = await giveRole(owner, spaceId, [], { name: 'high' })
  const answer = await guest.call('GET', path())
  assert.equal(answer.status, 200)
  const [everyone, ...others] = await guest.client.roles.list(spaceId)
  assert.deepEqual(
    [everyone?.id, everyone?.position, everyone?.permissions],
    [spaceId, 0, DEFAULT_PERMISSIONS],
  )
  assert.deepEqual(others, [low, high])
  assert.deepEqual(answer.body, [everyone, low, high])
})

test('ROLE-3: a new role enters above @everyone and below all others, and grants nothing unless requested', async () => {
  const first = await owner.client.roles.create(spaceId, { name: '  first ' })
  assert.deepEqual(
    { ...first, id: '', created_at: '', updated_at: '' },
    {
      id: '',
      space_id: spaceId,
      name: 'first',
      permissions: 0,
      capabilities: 0,
      color_from: null,
      color_via: null,
      color_to: null,
      hoisted: false,
      position: 1,
      created_at: '',
      updated_at: '',
    },
  )
  const body = {
    name: 'second',
    permissions: ALL_PERMISSIONS,
    color_from: -2147483648,
    color_via: 0,
    color_to: 2147483647,
    hoisted: true,
  }
  const second = await owner.client.roles.create(spaceId, body)
  assert.partialDeepStrictEqual(second, { ...body, position: 1 })
  assert.deepEqual(await listed(), [
    [0, '@everyone'],
    [1, 'second'],
    [2, 'first'],
  ])
})

test('ROLE-13: the space receives a new role, and every role that it shifts', async () => {
  const [first, second] = [
    await owner.client.roles.create(spaceId, { name: 'first' }),
    await owner.client.roles.create(spaceId, { name: 'second' }),
  ]
  const before = (await published()).length
  const third = await owner.client.roles.create(spaceId, { name: 'third' })
  assert.deepEqual((await published()).slice(before), [
    { name: 'SPACE_ROLE_CREATE', audience: 0, data: third },
    { name: 'SPACE_ROLE_UPDATE', audience: 0, data: { ...second, position: 2 } },
    { name: 'SPACE_ROLE_UPDATE', audience: 0, data: { ...first, position: 3 } },
  ])
})

test('ROLE-3: creating a role requires ManageRoles and the permissions it grants', async () => {
  await giveRole(owner, spaceId, [mod], { permissions: ManageRoles })
  const create = async (person: Person, permissions: number) => {
    const { status, code } = await person.call('POST', path(), { name: 'new', permissions })
    return [status, code]
  }
  const before = await listed()
  assert.deepEqual(await create(mod, ManageMessages), [403, 'permission_not_held'])
  assert.deepEqual(await create(mod, ManageRoles | Administrator), [403, 'permission_not_held'])
  assert.deepEqual(await create(guest, 0), [403, 'missing_permission'])
  assert.deepEqual(await create(outsider, 0), [403, 'not_a_member'])
  assert.deepEqual(await listed(), before)
  assert.deepEqual(await create(mod, ManageRoles | DEFAULT_PERMISSIONS), [200, null])
  await giveRole(owner, spaceId, [guest], { permissions: Administrator })
  assert.deepEqual(await create(guest, ALL_PERMISSIONS), [200, null])
})

test('ROLE-3: a member with ManageRoles only through @everyone can create roles', async () => {
  await owner.client.roles.update(spaceId, spaceId, { permissions: ManageRoles })
  assert.equal((await guest.client.roles.create(spaceId, { name: 'new' })).position, 1)
})

test('ROLE-2: a bot creates, gives and deletes roles like people', async () => {
  const bot = await createBot(server, `bot${spaceId.slice(-8)}`)
  await server.deps.database.execute(
    sql`insert into members (space_id, user_id) values (${spaceId}, ${bot.id})`,
  )
  assert.equal((await bot.call('POST', path(), { name: 'new' })).code, 'missing_permission')
  await giveRole(owner, spaceId, [bot], { permissions: ManageRoles })
  const made = await bot.client.roles.create(spaceId, { name: 'new' })
  await bot.client.roles.assign(spaceId, guest.id, made.id)
  await bot.client.roles.delete(spaceId, made.id)
})

test('ROLE-4: a space has at most 250 roles, including @everyone', async () => {
  await server.deps.database.execute(sql`
    insert into roles (space_id, id, name, permissions, position)
    select ${spaceId}, gen_random_uuid(), 'role', 0, n from generate_series(1, ${MAX_ROLES - 2}::integer) n`)
  // This change drops the cached snapshot.
  const last = await owner.client.roles.create(spaceId, { name: 'last' })
  assert.equal((await owner.client.roles.list(spaceId)).length, MAX_ROLES)
  const before = await published()
  const refused = await owner.call('POST', path(), { name: 'more' })
  assert.deepEqual([refused.status, refused.code], [400, 'too_many_roles'])
  assert.deepEqual(await published(), before)
  await owner.client.roles.delete(spaceId, last.id)
  assert.equal((await owner.call('POST', path(), { name: 'again' })).status, 200)
})

test('ROLE-16: a role’s permissions apply from the answer on', async () => {
  const role = await giveRole(owner, spaceId, [mod])
  const create = async () => (await mod.call('POST', path(), { name: 'new' })).status
  assert.equal(await create(), 403)
  await owner.client.roles.update(spaceId, role.id, { permissions: ManageRoles })
  assert.equal(await create(), 200)
  await owner.client.roles.remove(spaceId, mod.id, role.id)
  assert.equal(await create(), 403)
  await owner.client.roles.assign(spaceId, mod.id, role.id)
  assert.equal(await create(), 200)
  await owner.client.roles.delete(spaceId, role.id)
  assert.equal(await create(), 403)
})
