import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_WORKING_INVITES } from '@foyer/protocol/limits'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type HeldLock, holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let guest: Person
let count = 0
let space: TestSpace
let path: string

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
})
after(() => server.close())

beforeEach(async () => {
  count += 1
  guest = await createPerson(server, `guest${count}`)
  space = await makeSpace(owner)
  path = `/api/spaces/${space.id}/rooms/${space.general}`
})

const send = (content = 'hi') => owner.call('POST', `/api/rooms/${space.general}/messages`, { content })
const remove = () => owner.call('DELETE', path)
const invite = () => owner.call('POST', `${path}/invites`)

function holdSpaceRow(): Promise<HeldLock> {
  return holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
}

function holdHead(): Promise<HeldLock> {
  return holdLock(server, sql`select from message_heads where channel_id = ${space.general} for update`)
}

async function namesInRoom(): Promise<string[]> {
  const journal = await listJournal(server, topicOf.room(space.id, space.general))
  return journal.map(({ name }) => name)
}

test('ROOM-10: a message before the deletion is stored, and published before it', async () => {
  const lock = await holdHead()
  const sent = send()
  await lock.waitForBlocked(1)
  const removed = remove()
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual([(await sent).status, (await removed).status], [200, 204])
  assert.deepEqual(await namesInRoom(), ['MESSAGE_CREATE', 'ROOM_DELETE'])
})

test('ROOM-10: a message after the deletion is 404, and nothing of it is kept or published', async () => {
  const lock = await holdHead()
  const removed = remove()
  await lock.waitForBlocked(1)
  const sent = [
    send(),
    owner.call('POST', `/api/rooms/${space.general}/messages`, { content: 'hi', nonce: 'n' }),
  ]
  await lock.waitForBlocked(2)
  await lock.release()
  assert.equal((await removed).status, 204)
  for (const { status, code } of await Promise.all(sent))
    assert.deepEqual([status, code], [404, 'unknown_room'])
  assert.deepEqual(await namesInRoom(), ['ROOM_DELETE'])
  const kept = await server.deps.database.query(sql`
    select id from messages where channel_id = ${space.general}
    union all select message_id from message_nonces where channel_id = ${space.general}`)
  assert.deepEqual(kept, [])
})

test('ROOM-10: each of many messages to a room during its deletion is stored or 404', async () => {
  const answers = [remove(), ...Array.from({ length: 40 }, (_, index) => send(`${index}`))]
  const [removed, ...sent] = await Promise.all(answers)
  assert.equal(removed?.status, 204)
  const stored = sent.filter(({ status }) => status === 200).length
  assert.equal(stored + sent.filter(({ code }) => code === 'unknown_room').length, 40)
  const names = await namesInRoom()
  assert.equal(names.filter((name) => name === 'MESSAGE_CREATE').length, stored)
})

test('ROOM-9: one of several simultaneous deletions finds the room', async () => {
  const lock = await holdSpaceRow()
  const removed = [remove(), remove(), remove()]
  await lock.waitForBlocked(3)
  await lock.release()
  const statuses = (await Promise.all(removed)).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [204, 404, 404])
  assert.deepEqual(await namesInRoom(), ['ROOM_DELETE'])
})

test('ROOM-9: a change of the room after its deletion is 404, and so is a move into it', async () => {
  const category = space.rooms[0]?.id ?? ''
  path = `/api/spaces/${space.id}/rooms/${category}`
  const lock = await holdSpaceRow()
  const removed = remove()
  await lock.waitForBlocked(1)
  const late = [
    owner.call('PATCH', path, { name: 'late' }),
    owner.call('POST', `/api/spaces/${space.id}/rooms`, { name: 'x', type: 1, parent_id: category }),
    owner.call('PATCH', `/api/spaces/${space.id}/rooms/${space.lounge}`, { parent_id: category }),
  ]
  await lock.waitForBlocked(4)
  await lock.release()
  assert.equal((await removed).status, 204)
  const codes = (await Promise.all(late)).map(({ code }) => code)
  assert.deepEqual(codes, ['unknown_room', 'not_a_category', 'not_a_category'])
})

test('INVITE-17: an invite created after the room’s deletion is 404; an earlier one is deleted with it', async () => {
  const lock = await holdSpaceRow()
  const early = invite()
  await lock.waitForBlocked(1)
  const removed = remove()
  await lock.waitForBlocked(2)
  const late = [invite(), invite()]
  await lock.waitForBlocked(4)
  await lock.release()
  assert.deepEqual([(await early).status, (await removed).status], [200, 204])
  for (const { status, code } of await Promise.all(late))
    assert.deepEqual([status, code], [404, 'unknown_room'])
  assert.deepEqual(await owner.client.invites.list(space.id), [])
  const told = (await listJournal(server, topicOf.space(space.id))).map(({ name }) => name)
  assert.deepEqual(told, ['SPACE_INVITE_CREATE', 'SPACE_INVITE_DELETE'])
})

test('INVITE-17: a user who joins by an invite before its room is deleted is a member', async () => {
  const { code } = await owner.client.invites.create(space.id, space.general)
  const lock = await holdSpaceRow()
  const joined = guest.call('POST', `/api/invites/${code}`)
  await lock.waitForBlocked(1)
  const removed = remove()
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual([(await joined).status, (await removed).status], [200, 204])
  assert.deepEqual(await memberIds(), [owner.id, guest.id].toSorted())
})

test('INVITE-17: a user who joins by an invite after its room is deleted gets 404', async () => {
  const { code } = await owner.client.invites.create(space.id, space.general)
  const lock = await holdSpaceRow()
  const removed = remove()
  await lock.waitForBlocked(1)
  const refused = guest.call('POST', `/api/invites/${code}`)
  await lock.waitForBlocked(2)
  await lock.release()
  assert.equal((await removed).status, 204)
  assert.equal((await refused).code, 'unknown_invite')
  assert.deepEqual(await memberIds(), [owner.id])
})

async function memberIds(): Promise<string[]> {
  const members = await owner.client.members.list(space.id)
  return members.map(({ id }) => id).toSorted()
}

test('INVITE-17: an invite is revoked once, by its revocation or with its room', async () => {
  const { id } = await owner.client.invites.create(space.id, space.general)
  const lock = await holdLock(server, sql`select from invites where id = ${id} for no key update`)
  const answers = [remove(), owner.call('DELETE', `/api/spaces/${space.id}/invites/${id}`)]
  await lock.waitForBlocked(2)
  await lock.release()
  const [removed, revoked] = await Promise.all(answers)
  assert.equal(removed?.status, 204)
  const told = (await listJournal(server, topicOf.space(space.id))).map(({ name }) => name)
  assert.deepEqual(told, ['SPACE_INVITE_CREATE', 'SPACE_INVITE_DELETE'])
  assert.ok(revoked?.status === 204 || revoked?.status === 404, `${revoked?.status}`)
})

test('INVITE-17: a room with the maximum number of invites is deleted at once', async () => {
  await server.deps.database.execute(sql`
    insert into invites (space_id, id, code, room_id, inviter_id, max_age)
    select ${space.id}, gen_random_uuid(), 'bulk' || n, ${space.general}, ${owner.id}, 0
    from generate_series(1, ${MAX_WORKING_INVITES}::integer) n`)
  assert.equal((await remove()).status, 204)
  const told = (await listJournal(server, topicOf.space(space.id))).map(({ name }) => name)
  assert.deepEqual(told, Array(MAX_WORKING_INVITES).fill('SPACE_INVITE_DELETE'))
})
