import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { ALL_PERMISSIONS } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { callAsNobody, createPerson, type Person } from '#test/scenes/people.ts'
import { assignRole, insertRole, listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let guest: Person
let stranger: Person
let space: TestSpace
let path: string

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  guest = await createPerson(server, 'guest')
  stranger = await createPerson(server, 'stranger')
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner, [guest])
  path = `/api/spaces/${space.id}`
})

/** Lists every operation on a space and its rooms, with the code that refuses an outsider. */
function operations(messageId: string): (readonly [string, string, unknown?, string?])[] {
  const room = `${path}/rooms/${space.general}`
  const messages = `/api/rooms/${space.general}/messages`
  return [
    ['GET', path],
    ['PATCH', path, { name: 'x' }, 'cannot_manage_space'],
    ['DELETE', path],
    ['POST', `${path}/transfer`, { user_id: guest.id }],
    ['GET', `${path}/rooms`],
    ['POST', `${path}/rooms`, { name: 'x', type: 1 }],
    ['PATCH', room, { name: 'x' }],
    ['DELETE', room],
    ['GET', `${path}/roles`],
    ['GET', `${path}/members`],
    ['GET', `${path}/members/${guest.id}`],
    ['DELETE', `${path}/members/@me`],
    ['GET', `${path}/invites`],
    ['POST', `${room}/invites`],
    ['DELETE', `${path}/invites/${newId()}`],
    ['GET', messages],
    ['POST', messages, { content: 'x' }],
    ['GET', `${messages}/${messageId}`],
    ['PATCH', `${messages}/${messageId}`, { content: 'x' }],
    ['DELETE', `${messages}/${messageId}`],
    ['POST', `${messages}/${messageId}/ack`],
    ['POST', `/api/rooms/${space.general}/typing`],
  ]
}

test('SPACE-5: a deleted space and its messages answer everyone as if they were not a member', async () => {
  const { id } = await owner.client.messages.create(space.general, { content: 'last words' })
  const asked = operations(id)
  const toStranger = await Promise.all(asked.map(([method, at, body]) => stranger.call(method, at, body)))
  await owner.client.spaces.delete(space.id)
  for (const person of [owner, guest, stranger]) {
    for (const [index, [method, at, body, code = 'not_a_member']] of asked.entries()) {
      const answer = await person.call(method, at, body)
      assert.deepEqual([answer.status, answer.code], [403, code], `${method} ${at}`)
      assert.deepEqual(answer, toStranger[index])
    }
  }
  for (const person of [owner, guest]) {
    const spaces = await person.client.users.listSpaces()
    assert.ok(spaces.every((other) => other.id !== space.id))
  }
})

test('SPACE-5: the invites of a deleted space are 404', async () => {
  const { code } = await owner.client.invites.create(space.id, space.general)
  assert.equal((await callAsNobody(server, 'GET', `/api/invites/${code}`)).status, 200)
  await owner.client.spaces.delete(space.id)
  for (const person of [owner, guest, stranger]) {
    for (const method of ['GET', 'POST']) {
      const answer = await person.call(method, `/api/invites/${code}`)
      assert.deepEqual([answer.status, answer.code], [404, 'unknown_invite'])
    }
  }
})

test('SPACE-11: only the owner can delete a space', async () => {
  const roleId = await insertRole(server, space.id, { permissions: ALL_PERMISSIONS, position: 1 })
  await assignRole(server, { spaceId: space.id, userId: guest.id, roleId })
  const before = await listJournal(server, topicOf.space(space.id))
  const refused = await guest.call('DELETE', path)
  assert.deepEqual([refused.status, refused.code], [403, 'owner_only'])
  for (const id of [space.id, newId()])
    assert.equal((await stranger.call('DELETE', `/api/spaces/${id}`)).code, 'not_a_member')
  assert.equal((await owner.call('DELETE', '/api/spaces/x')).status, 400)
  assert.equal((await owner.client.spaces.get(space.id)).id, space.id)
  assert.deepEqual(await listJournal(server, topicOf.space(space.id)), before)

  const { status, body } = await owner.call('DELETE', path)
  assert.deepEqual([status, body], [204, undefined])
  assert.equal((await owner.call('DELETE', path)).code, 'not_a_member')
})

test('SPACE-11: members receive SPACE_DELETE, and nothing more of the space', async () => {
  const listener = await connect(server, guest)
  await owner.client.spaces.delete(space.id)
  const heard = await listener.findEvent('SPACE_DELETE')
  assert.deepEqual(heard.d, { space_id: space.id })
  assert.equal((await owner.call('PATCH', path, { name: 'Ghost' })).status, 403)
  await listener.settle()
  assert.equal(listener.frames.filter(({ t }) => t !== undefined && t !== 'READY').length, 1)
  listener.close()
})

test('SPACE-11: one of two simultaneous deletions succeeds, and is published once', async () => {
  const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
  const deletions = [owner.call('DELETE', path), owner.call('DELETE', path)]
  await lock.waitForBlocked(2)
  await lock.release()
  const statuses = (await Promise.all(deletions)).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [204, 403])
  const journal = await listJournal(server, topicOf.space(space.id))
  assert.equal(journal.filter(({ name }) => name === 'SPACE_DELETE').length, 1)
})

test('SPACE-11: requests under way during the deletion change nothing in the space', async () => {
  const { code } = await owner.client.invites.create(space.id, space.general)
  const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
  const deleted = owner.call('DELETE', path)
  await lock.waitForBlocked(1)
  const late = [
    owner.call('PATCH', path, { name: 'Late' }),
    owner.call('POST', `${path}/rooms`, { name: 'late', type: 1 }),
    owner.call('POST', `${path}/rooms/${space.general}/invites`),
    stranger.call('POST', `/api/invites/${code}`),
  ]
  await lock.waitForBlocked(5)
  await lock.release()
  assert.equal((await deleted).status, 204)
  const codes = (await Promise.all(late)).map((answer) => answer.code)
  assert.deepEqual(codes, ['cannot_manage_space', 'not_a_member', 'not_a_member', 'unknown_invite'])
})

test('SPACE-11: an account whose spaces are all deleted can be deleted', async () => {
  const client = await server.signUp('leaving')
  const made = [await client.spaces.create({ name: 'One' }), await client.spaces.create({ name: 'Two' })]
  for (const { space } of made) {
    await assert.rejects(client.users.deleteMe({ password: TEST_PASSWORD }), { code: 'owns_spaces' })
    await client.spaces.delete(space.id)
  }
  await client.users.deleteMe({ password: TEST_PASSWORD })
  await assert.rejects(client.users.me(), { status: 401 })
})
