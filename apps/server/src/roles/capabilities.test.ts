import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, beforeEach, test } from 'node:test'
import { ALL_CAPABILITIES, Capability, DEFAULT_CAPABILITIES } from '@foyer/protocol/capabilities'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { Role } from '@foyer/protocol/roles'
import { RoomType } from '@foyer/protocol/rooms'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { accessChange } from '#src/spaces/access-change.ts'
import { connect } from '#test/gateway-client.ts'
import { type Answer, createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { KickMembers, BanMembers, AttachFiles, AddReactions } = Capability
const { ManageRoles, ManageChannels, Administrator } = Permission

let server: TestServer
let owner: Person
let mod: Person
let guest: Person
let bot: Person
let space: TestSpace
/** The role of `mod` and `bot`. */
let role: Role
/** A role below it. */
let low: Role

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  mod = await createPerson(server, 'mod')
  guest = await createPerson(server, 'guest')
  bot = await createApplicationBot(server, owner, { name: 'helper' })
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner, [mod, guest])
  await owner.client.members.addBot(space.id, bot.id)
  low = await owner.client.roles.create(space.id, { name: 'low' })
  const permissions = ManageRoles | ManageChannels
  role = await giveRole(owner, space.id, [mod, bot], { permissions, capabilities: KickMembers })
})

const outcomeOf = ({ status, code }: Answer) => code ?? status
const update = (caller: Person, body: object, roleId = low.id) =>
  caller.call('PATCH', `/api/spaces/${space.id}/roles/${roleId}`, body).then(outcomeOf)
const create = (caller: Person, body: object) =>
  caller.call('POST', `/api/spaces/${space.id}/roles`, { name: 'new', ...body }).then(outcomeOf)
const overwrite = (fields: object) => ({
  target_id: guest.id,
  target_type: OverwriteTarget.Member,
  allow_flags: 0,
  deny_flags: 0,
  ...fields,
})
const set = (caller: Person, fields: object) =>
  caller
    .call('PUT', `/api/spaces/${space.id}/rooms/${space.general}/overwrites`, overwrite(fields))
    .then(outcomeOf)
const capabilitiesOf = async ({ id }: Pick<Role, 'id'>) =>
  (await owner.client.roles.list(space.id)).find((one) => one.id === id)?.capabilities

test('CAPABILITY-7: @everyone of a new space has what every member could do before, and a new role has none', async () => {
  assert.equal(await capabilitiesOf(space), DEFAULT_CAPABILITIES)
  assert.equal(await capabilitiesOf(low), 0)
})

test('CAPABILITY-7: the migration gives @everyone of existing spaces the same, and other roles nothing', async () => {
  const migration = await readFile(new URL('../../migrations/0029-capabilities.sql', import.meta.url), 'utf8')
  const columns = [
    'roles.capabilities',
    'room_overwrites.allow_capabilities',
    'room_overwrites.deny_capabilities',
  ]
  await server.deps.database.transaction(async (transaction) => {
    for (const [index, column] of columns.entries()) {
      const [table, name] = column.split('.')
      await transaction.query({
        name: `drop ${index}`,
        text: `alter table ${table} drop column ${name}`,
        values: [],
      })
    }
    const parts = migration.split(/;$/m).filter((part) => part.trim() !== '')
    for (const [index, text] of parts.entries())
      await transaction.query({ name: `part ${index}`, text, values: [] })
    transaction.publish(accessChange(space.id))
  })
  assert.equal(await capabilitiesOf(space), DEFAULT_CAPABILITIES)
  assert.equal(await capabilitiesOf(role), 0)
})

test('CAPABILITY-4: a role gets only capabilities that its editor has', async () => {
  for (const caller of [mod, bot]) {
    assert.equal(await create(caller, { capabilities: KickMembers | AttachFiles }), 200)
    assert.equal(await create(caller, { capabilities: BanMembers }), 'permission_not_held')
    assert.equal(await update(caller, { capabilities: KickMembers | BanMembers }), 'permission_not_held')
    assert.equal(await update(caller, { capabilities: KickMembers }), 200)
  }
  assert.equal(await update(owner, { capabilities: ALL_CAPABILITIES }), 200)
  // Keeping and removing is free.
  assert.equal(await update(mod, { capabilities: ALL_CAPABILITIES & ~AddReactions }), 200)
  assert.equal(await update(mod, { capabilities: BanMembers }), 200)
  assert.equal(await capabilitiesOf(low), BanMembers)
  assert.equal(await create(guest, { capabilities: 0 }), 'missing_permission')
})

test('CAPABILITY-4: an administrator may give every capability', async () => {
  await owner.client.roles.update(space.id, role.id, { permissions: Administrator, capabilities: 0 })
  assert.equal(await create(mod, { capabilities: ALL_CAPABILITIES }), 200)
})

test('CAPABILITY-4: an overwrite newly allows and denies only capabilities that its editor has in the room', async () => {
  for (const field of ['allow_capabilities', 'deny_capabilities']) {
    assert.equal(await set(mod, { [field]: BanMembers }), 'permission_not_held')
    assert.equal(await set(mod, { [field]: AttachFiles | KickMembers }), 200)
    assert.equal(await set(owner, { [field]: ALL_CAPABILITIES }), 200)
    assert.equal(await set(mod, { [field]: BanMembers }), 200)
    assert.equal(await set(mod, {}), 200)
  }
  await owner.client.overwrites.upsert(space.id, space.general, {
    ...overwrite({ deny_capabilities: KickMembers }),
    target_id: mod.id,
  })
  assert.equal(await set(mod, { allow_capabilities: KickMembers }), 'permission_not_held')
})

test('CAPABILITY-4: a room is created only with overwrites of capabilities that its creator has', async () => {
  const make = (fields: object) => {
    const body = { name: 'plans', type: RoomType.Text, overwrites: [overwrite(fields)] }
    return mod.call('POST', `/api/spaces/${space.id}/rooms`, body)
  }
  const before = (await owner.client.rooms.list(space.id)).length
  assert.equal(outcomeOf(await make({ allow_capabilities: BanMembers })), 'permission_not_held')
  assert.equal(outcomeOf(await make({ deny_capabilities: 2 ** 20 })), 'unknown_capabilities')
  assert.equal((await owner.client.rooms.list(space.id)).length, before)
  const made = await make({ deny_capabilities: AttachFiles })
  const [kept] = await owner.client.overwrites.list(space.id, Object(made.body).id)
  assert.deepEqual([kept?.allow_capabilities, kept?.deny_capabilities], [0, AttachFiles])
})

test('CAPABILITY-5: unknown bits are refused before anything else, and change nothing', async () => {
  const before = await listJournal(server, topicOf.space(space.id))
  for (const capabilities of [2 ** 20, -1, 2 ** 31, 2 ** 40])
    for (const caller of [owner, mod]) {
      assert.equal(await create(caller, { capabilities }), 'unknown_capabilities')
      assert.equal(await update(caller, { capabilities }), 'unknown_capabilities')
      assert.equal(await set(caller, { allow_capabilities: capabilities }), 'unknown_capabilities')
      assert.equal(await set(caller, { deny_capabilities: capabilities }), 'unknown_capabilities')
    }
  for (const capabilities of [null, '1', 1.5, [], {}, true]) {
    assert.equal(await create(owner, { capabilities }), 'invalid_request')
    assert.equal(await update(owner, { capabilities }), 'invalid_request')
    assert.equal(await set(owner, { allow_capabilities: capabilities }), 'invalid_request')
  }
  const refused = await owner.call('PATCH', `/api/spaces/${space.id}/roles/${low.id}`, { capabilities: -1 })
  assert.deepEqual(refused.body, { error: 'capabilities contain unknown flags' })
  assert.deepEqual(await listJournal(server, topicOf.space(space.id)), before)
})

test('CAPABILITY-6: omitted capabilities of a role stay, and those of an overwrite are none', async () => {
  await owner.client.roles.update(space.id, low.id, { capabilities: BanMembers })
  await owner.client.roles.update(space.id, low.id, { name: 'renamed', permissions: ManageRoles })
  assert.equal(await capabilitiesOf(low), BanMembers)
  await set(owner, { allow_capabilities: BanMembers, deny_capabilities: KickMembers })
  await set(owner, {})
  const [kept] = await owner.client.overwrites.list(space.id, space.general)
  assert.deepEqual([kept?.allow_capabilities, kept?.deny_capabilities], [0, 0])
})

test('CAPABILITY-6: a change of capabilities alone is saved and sent, and one without effect is not', async () => {
  const listener = await connect(server, guest)
  await owner.client.roles.update(space.id, low.id, { capabilities: BanMembers })
  await owner.client.roles.update(space.id, low.id, { capabilities: BanMembers })
  await set(owner, { deny_capabilities: AttachFiles })
  await set(owner, { deny_capabilities: AttachFiles })
  await owner.client.messages.create(space.general, { content: 'end' })
  await listener.findEvent('MESSAGE_CREATE')
  assert.deepEqual(
    listener.heard('SPACE_ROLE_UPDATE').map(({ d }) => Object(d).capabilities),
    [BanMembers],
  )
  assert.deepEqual(
    listener.heard('ROOM_OVERWRITE_UPDATE').map(({ d }) => Object(d).deny_capabilities),
    [AttachFiles],
  )
  listener.close()
})

test('CAPABILITY-8: bans are sent to members with BanMembers, from the answer that gave it to the one that took it', async () => {
  const listener = await connect(server, mod)
  const ban = async (name: string) => {
    const { id } = await createPerson(server, name)
    await owner.client.bans.create(space.id, id)
  }
  const give = (capabilities: number) => owner.client.roles.update(space.id, role.id, { capabilities })
  await ban('first')
  await give(BanMembers)
  await ban('second')
  await give(0)
  await ban('third')
  await owner.client.messages.create(space.general, { content: 'end' })
  await listener.findEvent('MESSAGE_CREATE')
  assert.equal(listener.heard('SPACE_BAN_CREATE').length, 1)
  listener.close()
})
