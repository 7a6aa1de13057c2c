import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import { Capability } from '@foyer/protocol/capabilities'
import { Permission } from '@foyer/protocol/permissions'
import { sql } from '#src/kernel/sql/sql.ts'
import { newestEntry } from '#test/scenes/audit-log.ts'
import type { Person } from '#test/scenes/people.ts'
import { createRankedPeople, makeRankedSpace, type RankedPeople } from '#test/scenes/ranked-people.ts'
import type { TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let people: RankedPeople
let space: TestSpace

before(async () => {
  server = await startTestServer()
  people = await createRankedPeople(server)
})
after(() => server.close())
beforeEach(async () => {
  space = await makeRankedSpace(server, people, Permission.Administrator)
})

const newest = () => newestEntry(people.owner, space.id)

async function outcome(entry: AuditLogEntry, caller: Person = people.actor) {
  const { status, code } = await caller.call('POST', `/api/spaces/${space.id}/audit-log/${entry.id}/undo`)
  return code ?? status
}

const role = async () => (await people.owner.client.roles.create(space.id, { name: 'role' })).id

test('AUDIT-11: an entry is undone once, also by ten at the same time', async () => {
  const { owner, actor } = people
  await owner.client.rooms.update(space.id, space.general, { name: 'new' })
  const entry = await newest()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => outcome(entry, index % 2 === 0 ? owner : actor)),
  )
  assert.ok(answers.every((answer) => answer === 200 || answer === 'already_undone'))
  assert.ok(answers.includes(200))
  assert.equal(await outcome(entry), 'already_undone')
  const undos = await server.deps.database.query(sql`select id from audit_log where undoes = ${entry.id}`)
  assert.equal(undos.length, 1)
})

test('AUDIT-11: what was changed again since is not undone', async () => {
  const { owner, below } = people
  const room = { ...space.rooms.find(({ id }) => id === space.general) }
  await owner.client.rooms.update(space.id, space.general, { name: 'second' })
  const entry = await newest()
  await owner.client.rooms.update(space.id, space.general, { name: 'third' })
  assert.equal(await outcome(entry), 'changed_since')
  // By hand.
  await owner.client.rooms.update(space.id, space.general, { name: room.name ?? '' })
  assert.equal(await outcome(entry), 'changed_since')
  await owner.client.rooms.update(space.id, space.general, { name: 'second', description: 'another field' })
  assert.equal(await outcome(entry), 200)
  await owner.client.bans.create(space.id, below.id, { reason: 'a' })
  const ban = await newest()
  await owner.client.bans.create(space.id, below.id, { reason: 'b' })
  assert.equal(await outcome(ban), 'changed_since')
  assert.equal((await owner.client.bans.list(space.id))[0]?.reason, 'b')
})

test('AUDIT-11: what is gone is not restored', async () => {
  const { owner, below } = people
  const roleId = await role()
  await owner.client.roles.update(space.id, roleId, { name: 'new' })
  const ofRole = await newest()
  await owner.client.roles.assign(space.id, below.id, roleId)
  const assigned = await newest()
  await owner.client.roles.delete(space.id, roleId)
  assert.deepEqual([await outcome(ofRole), await outcome(assigned)], ['unknown_role', 'unknown_role'])
  await owner.client.members.timeOut(space.id, below.id, { until: new Date(Date.now() + 400).toISOString() })
  const ended = await newest()
  await new Promise((resolve) => setTimeout(resolve, 500))
  assert.equal(await outcome(ended), 'unknown_timeout')
})

test('AUDIT-12: undoing needs the right to make the change, besides the right to read the log', async () => {
  const { owner, below, above } = people
  const { id } = await owner.client.roles.create(space.id, {
    name: 'reader',
    capabilities: Capability.ViewAuditLog,
  })
  await owner.client.roles.assign(space.id, below.id, id)
  await owner.client.rooms.update(space.id, space.general, { name: 'new' })
  const room = await newest()
  await owner.client.bans.create(space.id, people.outsider.id)
  const ban = await newest()
  await owner.client.members.update(space.id, above.id, { nickname: 'High' })
  const nickname = await newest()
  for (const entry of [room, ban]) assert.equal(await outcome(entry, below), 'missing_permission')
  assert.equal(await outcome(nickname), 'member_not_below')
  assert.equal(
    (await people.outsider.call('POST', `/api/spaces/${space.id}/audit-log/${room.id}/undo`)).code,
    'not_a_member',
  )
  assert.deepEqual((await newest()).id, nickname.id)
})

test('AUDIT-12: a moderator restores no permission that they do not have', async () => {
  const { owner, below } = people
  const roleId = (
    await owner.client.roles.create(space.id, { name: 'low', permissions: Permission.ManageBots })
  ).id
  const { id } = await owner.client.roles.create(space.id, {
    name: 'mod',
    permissions: Permission.ManageRoles,
    capabilities: Capability.ViewAuditLog,
  })
  await owner.client.roles.update(space.id, id, { position: 2 })
  await owner.client.roles.assign(space.id, below.id, id)
  await owner.client.roles.update(space.id, roleId, { permissions: 0 })
  assert.equal(await outcome(await newest(), below), 'permission_not_held')
})
