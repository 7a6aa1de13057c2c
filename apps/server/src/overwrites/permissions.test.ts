import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { ALL_PERMISSIONS, OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { Role } from '@foyer/protocol/roles'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { Administrator, ManageChannels, ManageRoles, PinMessages, SendMessages, ViewChannels } = Permission

let server: TestServer
let owner: Person
let mod: Person
let guest: Person
let outsider: Person
let space: TestSpace
/** Role that grants `mod` ManageChannels. */
let role: Role

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  mod = await createPerson(server, 'mod')
  guest = await createPerson(server, 'guest')
  outsider = await createPerson(server, 'outsider')
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner, [mod, guest])
  role = await giveRole(owner, space.id, [mod], { permissions: ManageChannels })
})

const path = (roomId = space.general) => `/api/spaces/${space.id}/rooms/${roomId}/overwrites`
const onMember = ({ id }: Person, allow_flags: number, deny_flags: number) => ({
  target_id: id,
  target_type: OverwriteTarget.Member,
  allow_flags,
  deny_flags,
})

async function upsert(person: Person, [allow = 0, deny = 0]: number[] = []) {
  const { status, code } = await person.call('PUT', path(), onMember(guest, allow, deny))
  return code ?? status
}

const given = async (allow: number, deny: number) =>
  owner.client.overwrites.upsert(space.id, space.general, onMember(guest, allow, deny))

/** Tries all three operations; returns their error codes or statuses. */
async function tryAll(person: Person, roomId = space.general) {
  const answers = [
    await person.call('GET', path(roomId)),
    await person.call('PUT', path(roomId), 'not even JSON'),
    await person.call('DELETE', `${path(roomId)}/${newId()}`),
  ]
  return answers.map(({ status, code }) => code ?? status)
}

const all = <T>(one: T) => [one, one, one]

test('OVERWRITE-1: it requires ManageChannels and ViewChannels in that room, before the body is read', async () => {
  const allowed = [200, 'invalid_json', 'unknown_overwrite']
  assert.deepEqual(await tryAll(outsider), all('not_a_member'))
  assert.deepEqual(await tryAll(guest), all('missing_permission'))
  assert.deepEqual(await tryAll(mod), allowed)
  assert.deepEqual(await tryAll(owner), allowed)
  await owner.client.overwrites.upsert(space.id, space.general, onMember(mod, 0, ManageChannels))
  assert.deepEqual(await tryAll(mod), all('missing_permission'))
  assert.deepEqual(await tryAll(mod, space.lounge), allowed)
  await owner.client.overwrites.upsert(space.id, space.general, onMember(mod, 0, ViewChannels))
  assert.deepEqual(await tryAll(mod), all('missing_permission'))
  await given(ManageChannels, 0)
  assert.deepEqual(await tryAll(guest), allowed)
  assert.deepEqual(await tryAll(guest, space.lounge), all('missing_permission'))
})

test('OVERWRITE-1: a room that is not in the space is 404, for members only', async () => {
  const elsewhere = await makeSpace(owner)
  for (const roomId of [elsewhere.general, space.id, newId()]) {
    for (const person of [owner, mod, guest])
      assert.deepEqual(await tryAll(person, roomId), all('unknown_room'))
    assert.deepEqual(await tryAll(outsider, roomId), all('not_a_member'))
  }
})

test('OVERWRITE-1: a bot sets overwrites like people', async () => {
  const bot = await createApplicationBot(server, owner, { name: 'helper' })
  await owner.client.members.addBot(space.id, bot.id)
  assert.equal(await upsert(bot), 'missing_permission')
  await owner.client.roles.assign(space.id, bot.id, role.id)
  assert.equal(await upsert(bot, [SendMessages]), 200)
  assert.equal(await upsert(bot, [PinMessages]), 'permission_not_held')
  await bot.client.overwrites.delete(space.id, space.general, guest.id)
})

test('OVERWRITE-2: the caller must have every newly allowed or denied permission', async () => {
  const before = await listJournal(server, topicOf.room(space.id, space.general))
  const refused = [
    [PinMessages, 0],
    [0, PinMessages],
    [SendMessages | PinMessages, 0],
    [SendMessages, PinMessages],
    [Administrator, 0],
    [0, Administrator],
    [ALL_PERMISSIONS, 0],
  ]
  for (const flags of refused) assert.equal(await upsert(mod, flags), 'permission_not_held')
  assert.deepEqual(await owner.client.overwrites.list(space.id, space.general), [])
  assert.deepEqual(await listJournal(server, topicOf.room(space.id, space.general)), before)
  assert.equal(await upsert(mod, [SendMessages, ManageChannels | ViewChannels]), 200)
  assert.equal(await upsert(owner, [ALL_PERMISSIONS, ALL_PERMISSIONS]), 200)
})

test('OVERWRITE-2: keeping and clearing is free, and setting is not', async () => {
  await given(PinMessages | ManageRoles, Administrator)
  assert.equal(await upsert(mod, [PinMessages | ManageRoles | SendMessages, Administrator]), 200)
  assert.equal(await upsert(mod, [PinMessages, ManageRoles]), 'permission_not_held')
  assert.equal(await upsert(mod, [PinMessages | Administrator, 0]), 'permission_not_held')
  assert.equal(
    await upsert(mod, [PinMessages | ManageRoles, Administrator | PinMessages]),
    'permission_not_held',
  )
  assert.equal(await upsert(mod, [PinMessages, Administrator]), 200)
  assert.equal(await upsert(mod, [0, 0]), 200)
  assert.equal(await upsert(mod, [PinMessages, 0]), 'permission_not_held')
})

test('OVERWRITE-2: the caller’s permissions in the room count, which may differ from those elsewhere', async () => {
  await owner.client.overwrites.upsert(space.id, space.general, onMember(mod, PinMessages, SendMessages))
  assert.equal(await upsert(mod, [PinMessages, 0]), 200)
  assert.equal(await upsert(mod, [PinMessages | SendMessages, 0]), 'permission_not_held')
  assert.equal(await upsert(mod, [PinMessages, SendMessages]), 'permission_not_held')
  const lounge = path(space.lounge)
  assert.equal((await mod.call('PUT', lounge, onMember(guest, PinMessages, 0))).code, 'permission_not_held')
  assert.equal((await mod.call('PUT', lounge, onMember(guest, SendMessages, 0))).status, 200)
})

test('OVERWRITE-2: the hierarchy plays no part: the caller can deny their own permissions to higher members', async () => {
  const { id } = await giveRole(owner, space.id, [guest])
  const body = { target_id: id, target_type: OverwriteTarget.Role, allow_flags: 0, deny_flags: SendMessages }
  assert.equal((await mod.call('PUT', path(), body)).status, 200)
  assert.equal(await upsert(mod, [0, SendMessages]), 200)
  assert.equal((await mod.call('PUT', path(), onMember(owner, 0, SendMessages))).status, 200)
})

test('OVERWRITE-2: a user who may set their own overwrite cannot gain permissions by it', async () => {
  const self = (allow: number) => mod.call('PUT', path(), onMember(mod, allow, 0))
  assert.equal((await self(PinMessages)).code, 'permission_not_held')
  assert.equal((await self(ManageChannels | SendMessages)).status, 200)
  assert.equal((await self(ManageChannels | SendMessages | ManageRoles)).code, 'permission_not_held')
})

test('OVERWRITE-2: an administrator may set everything, even where overwrites deny it', async () => {
  await owner.client.overwrites.upsert(space.id, space.general, onMember(mod, 0, ALL_PERMISSIONS))
  assert.equal(await upsert(mod), 'missing_permission')
  await owner.client.roles.update(space.id, role.id, { permissions: Administrator })
  assert.equal(await upsert(mod, [ALL_PERMISSIONS, ALL_PERMISSIONS]), 200)
})

test('OVERWRITE-2: an overwrite that allows Administrator has no effect, and allows nothing to be given', async () => {
  await owner.client.overwrites.upsert(space.id, space.general, onMember(mod, Administrator, 0))
  assert.equal(await upsert(mod, [Administrator, 0]), 'permission_not_held')
  assert.equal(await upsert(mod, [PinMessages, 0]), 'permission_not_held')
})

test('OVERWRITE-8: deleting is free, whatever the overwrite allows or denies', async () => {
  await given(ALL_PERMISSIONS, ALL_PERMISSIONS)
  await mod.client.overwrites.delete(space.id, space.general, guest.id)
  assert.deepEqual(await owner.client.overwrites.list(space.id, space.general), [])
})
