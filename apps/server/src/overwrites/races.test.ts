import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_OVERWRITES } from '@foyer/protocol/limits'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { Role } from '@foyer/protocol/roles'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { ManageChannels, PinMessages, SendMessages } = Permission

let server: TestServer
let owner: Person
let mod: Person
let guest: Person
let space: TestSpace
/** Role that grants `mod` ManageChannels and PinMessages. */
let role: Role

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  mod = await createPerson(server, 'mod')
  guest = await createPerson(server, 'guest')
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner, [mod, guest])
  role = await giveRole(owner, space.id, [mod], { permissions: ManageChannels | PinMessages })
})

type Call = () => Promise<string | number>

function request(person: Person, method: string, path: string, body?: unknown): Call {
  return async () => {
    const { status, code } = await person.call(method, `/api/spaces/${space.id}${path}`, body)
    return code ?? status
  }
}

const set = (person: Person, target_id: string, target_type: number, allow_flags = 0) =>
  request(person, 'PUT', `/rooms/${space.general}/overwrites`, {
    target_id,
    target_type,
    allow_flags,
    deny_flags: 0,
  })
const onRole = (person: Person, allow = 0) => set(person, role.id, OverwriteTarget.Role, allow)
const onGuest = (person: Person, allow = 0) => set(person, guest.id, OverwriteTarget.Member, allow)
const remove = (person: Person, targetId: string) =>
  request(person, 'DELETE', `/rooms/${space.general}/overwrites/${targetId}`)
const listed = () => owner.client.overwrites.list(space.id, space.general)

/** Queues the calls at the space's lock, in order, then releases it. */
async function atOnce(...calls: readonly Call[]): Promise<(string | number)[]> {
  const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
  const answers: Promise<string | number>[] = []
  for (const call of calls) {
    answers.push(call())
    await lock.waitForBlocked(answers.length)
  }
  await lock.release()
  return Promise.all(answers)
}

test('OVERWRITE-9: the second of two simultaneous requests for one target overrides the first', async () => {
  assert.deepEqual(await atOnce(onGuest(owner, PinMessages), onGuest(mod, SendMessages)), [200, 200])
  const [left, ...others] = await listed()
  assert.deepEqual([left?.allow_flags, others], [SendMessages, []])
  assert.deepEqual(await atOnce(onGuest(owner, SendMessages), onGuest(mod, SendMessages)), [200, 200])
  const told = await listJournal(server, topicOf.room(space.id, space.general))
  assert.equal(told.length, 2)
})

test('OVERWRITE-9: a role or member deleted first gets no overwrite, and one deleted later loses it', async () => {
  const leave = request(guest, 'DELETE', '/members/@me')
  const drop = request(owner, 'DELETE', `/roles/${role.id}`)
  assert.deepEqual(await atOnce(onRole(owner), drop, onRole(owner)), [200, 204, 'unknown_role'])
  assert.deepEqual(await atOnce(onGuest(owner), leave, onGuest(owner)), [200, 204, 'unknown_member'])
  assert.deepEqual(await listed(), [])
})

test('OVERWRITE-9: a room deleted at the same time is 404', async () => {
  const drop = request(owner, 'DELETE', `/rooms/${space.general}`)
  const answers = await atOnce(drop, onGuest(owner), remove(owner, guest.id))
  assert.deepEqual(answers, [204, 'unknown_room', 'unknown_room'])
})

test('OVERWRITE-9: one of two simultaneous deletions finds the overwrite', async () => {
  await onGuest(owner)()
  assert.deepEqual(await atOnce(remove(owner, guest.id), remove(mod, guest.id)), [204, 'unknown_overwrite'])
})

test('OVERWRITE-9: a caller who has lost the permission is refused', async () => {
  const update = (permissions: number) => request(owner, 'PATCH', `/roles/${role.id}`, { permissions })
  await onGuest(owner)()
  const weaker = await atOnce(update(ManageChannels), onGuest(mod, PinMessages), onGuest(mod, SendMessages))
  assert.deepEqual(weaker, [200, 'permission_not_held', 200])
  const demoted = await atOnce(update(0), onGuest(mod), remove(mod, guest.id))
  assert.deepEqual(demoted, [200, 'missing_permission', 'missing_permission'])
  assert.equal((await listed()).length, 1)
})

test('OVERWRITE-6: simultaneous requests do not exceed the limit', async () => {
  await server.deps.database.execute(sql`
    insert into room_overwrites (space_id, room_id, target_id, target_type, allow_flags, deny_flags)
    select ${space.id}, ${space.general}, gen_random_uuid(), 1, 0, 0
    from generate_series(1, ${MAX_OVERWRITES - 1}::integer)`)
  const everyone = set(owner, space.id, OverwriteTarget.Role)
  assert.deepEqual(await atOnce(onGuest(owner), onRole(owner), everyone), [
    200,
    'too_many_overwrites',
    'too_many_overwrites',
  ])
})
