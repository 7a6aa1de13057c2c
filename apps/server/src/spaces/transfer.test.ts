import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { ALL_PERMISSIONS } from '@foyer/protocol/permissions'
import { Client } from '@foyer/sdk/client'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type HeldLock, holdLock } from '#test/locks/held-locks.ts'
import { credentialOf, send, signIn } from '#test/scenes/accounts.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { assignRole, insertRole, listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let heir: Person
let other: Person
let space: TestSpace
let path: string

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  heir = await createPerson(server, 'heir')
  other = await createPerson(server, 'other')
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner, [heir, other])
  path = `/api/spaces/${space.id}/transfer`
})

const transfer = (to: string, by = owner) => by.call('POST', path, { user_id: to })
const published = () => listJournal(server, topicOf.space(space.id))

function holdSpaceRow(): Promise<HeldLock> {
  return holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
}

/** Returns the owner of the space, and true if they are a member. */
async function ownership() {
  const [row] = await server.deps.database.query<{ owner_id: string; is_member: boolean }>(sql`
    select owner_id, exists (select from members where space_id = id and user_id = owner_id) as is_member
    from spaces where id = ${space.id}`)
  return row
}

test('SPACE-12: the owner makes another member the owner, with every right', async () => {
  const before = await owner.client.spaces.get(space.id)
  const heard = await published()
  const given = await owner.client.spaces.transfer(space.id, { user_id: heir.id })
  assert.deepEqual({ ...given, updated_at: before.updated_at }, { ...before, owner_id: heir.id })
  assert.ok(given.updated_at > before.updated_at)
  assert.deepEqual(await published(), [...heard, { name: 'SPACE_UPDATE', audience: 0, data: given }])
  const [change] = await listJournal(server, topicOf.access(space.id))
  assert.equal(change?.name, 'SPACE_ACCESS_CHANGE')

  assert.equal((await transfer(heir.id)).code, 'owner_only')
  assert.equal((await owner.call('PATCH', `/api/spaces/${space.id}`, {})).code, 'cannot_manage_space')
  assert.equal((await heir.client.spaces.update(space.id, { name: 'Mine now' })).name, 'Mine now')
  assert.equal((await heir.call('DELETE', `/api/spaces/${space.id}/members/@me`)).code, 'owner_cannot_leave')
  await owner.client.members.leave(space.id)
})

test('SPACE-12: nobody else can transfer the space, and only members can receive it', async () => {
  const roleId = await insertRole(server, space.id, { permissions: ALL_PERMISSIONS, position: 1 })
  await assignRole(server, { spaceId: space.id, userId: heir.id, roleId })
  const [stranger, bot] = [await createPerson(server, 'stranger'), await createBot(server, 'butler')]
  await server.deps.database.execute(
    sql`insert into members (space_id, user_id) values (${space.id}, ${bot.id})`,
  )
  const outsider = await createBot(server, 'outside')
  const heard = await published()
  const answers: [Promise<{ status: number; code: string | null }>, number, string][] = [
    [transfer(heir.id, heir), 403, 'owner_only'],
    [heir.call('POST', path, 'not even JSON'), 403, 'owner_only'],
    [transfer(bot.id, bot), 403, 'owner_only'],
    [transfer(stranger.id, stranger), 403, 'not_a_member'],
    [stranger.call('POST', `/api/spaces/${newId()}/transfer`, {}), 403, 'not_a_member'],
    [transfer(owner.id), 400, 'already_owner'],
    [transfer(bot.id), 400, 'bots_cannot_own'],
    [transfer(outsider.id), 404, 'unknown_member'],
    [transfer(stranger.id), 404, 'unknown_member'],
    [transfer(newId()), 404, 'unknown_member'],
    [transfer(space.id), 404, 'unknown_member'],
  ]
  for (const [answer, status, code] of answers) {
    const given = await answer
    assert.deepEqual([given.status, given.code], [status, code])
  }
  for (const body of [{}, { user_id: null }, { user_id: 'x' }, { user_id: [heir.id] }, '[]', undefined])
    assert.equal((await owner.call('POST', path, body)).status, 400, JSON.stringify(body))
  assert.deepEqual(await ownership(), { owner_id: owner.id, is_member: true })
  assert.deepEqual(await published(), heard)
})

test('MEMBER-8: the first of two simultaneous transfers counts', async () => {
  const lock = await holdSpaceRow()
  const first = transfer(heir.id)
  await lock.waitForBlocked(1)
  const second = transfer(other.id)
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual([(await first).status, (await second).code], [200, 'owner_only'])
  assert.deepEqual(await ownership(), { owner_id: heir.id, is_member: true })
})

test('MEMBER-8: a member who leaves first is not given the space', async () => {
  const lock = await holdSpaceRow()
  const left = heir.call('DELETE', `/api/spaces/${space.id}/members/@me`)
  await lock.waitForBlocked(1)
  const given = transfer(heir.id)
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual([(await left).status, (await given).code], [204, 'unknown_member'])
  assert.deepEqual(await ownership(), { owner_id: owner.id, is_member: true })
})

test('MEMBER-8: a member who is given the space while leaving stays', async () => {
  const lock = await holdSpaceRow()
  const given = transfer(heir.id)
  await lock.waitForBlocked(1)
  const left = heir.call('DELETE', `/api/spaces/${space.id}/members/@me`)
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual([(await given).status, (await left).code], [200, 'owner_cannot_leave'])
  assert.deepEqual(await ownership(), { owner_id: heir.id, is_member: true })
})

/** Adds a member with a password, who deletes their account while the space is locked. */
async function newMember(username: string) {
  const tokens = await signIn(server, username)
  const { code } = await owner.client.invites.create(space.id, space.general)
  await new Client({ baseUrl: server.url, tokens }).invites.join(code)
  const deleteAccount = () =>
    send(server, 'DELETE', '/api/users/@me', {
      headers: credentialOf(tokens),
      body: { password: TEST_PASSWORD },
    })
  return { id: tokens.user.id, deleteAccount }
}

test('MEMBER-8: an account under deletion is not given a space', async () => {
  const leaving = await newMember('leaving')
  const lock = await holdSpaceRow()
  const deleted = leaving.deleteAccount()
  await lock.waitForBlocked(1)
  const given = transfer(leaving.id)
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual([(await deleted).status, (await given).code], [204, 'unknown_member'])
  assert.deepEqual(await ownership(), { owner_id: owner.id, is_member: true })
})

test('MEMBER-8: an account that is being given a space is not deleted', async () => {
  const staying = await newMember('staying')
  const lock = await holdSpaceRow()
  const given = transfer(staying.id)
  await lock.waitForBlocked(1)
  const deleted = staying.deleteAccount()
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual([(await given).status, (await deleted).code], [200, 'owns_spaces'])
  assert.deepEqual(await ownership(), { owner_id: staying.id, is_member: true })
})
