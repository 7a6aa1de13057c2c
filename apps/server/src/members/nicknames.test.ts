import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { DEFAULT_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import type { Person } from '#test/scenes/people.ts'
import { createRankedPeople, makeRankedSpace, type RankedPeople } from '#test/scenes/ranked-people.ts'
import { assignRole, insertRole, listJournal, setEveryone } from '#test/scenes/space-rows.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { ChangeNickname, ManageRoles } = Permission

let server: TestServer
let people: RankedPeople
let spaceId: string
let path: string

before(async () => {
  server = await startTestServer()
  people = await createRankedPeople(server)
})
after(() => server.close())

beforeEach(async () => {
  spaceId = (await makeRankedSpace(server, people, ManageRoles)).id
  path = `/api/spaces/${spaceId}/members`
})

async function rename(caller: Person, target: string, body: unknown, method = 'PATCH') {
  const { status, code, body: answer } = await caller.call(method, `${path}/${target}`, body)
  return { status, code, answer }
}

async function nicknameOf({ id }: Person): Promise<string | null> {
  return (await people.owner.client.members.get(spaceId, id)).nickname
}

async function published(): Promise<unknown[]> {
  const journal = await listJournal(server, topicOf.space(spaceId))
  return journal.filter(({ name }) => name === 'SPACE_MEMBER_UPDATE').map(({ data }) => data)
}

test('MEMBER-10: people and bots change their own nickname, at @me and at their id', async () => {
  const { owner, bot, below } = people
  const ways = ['PATCH', 'PUT'].flatMap((method) => [method, `${method} by id`])
  for (const caller of [below, bot, owner])
    for (const nickname of ways) {
      const [method = '', byId] = nickname.split(' ')
      const { status } = await rename(caller, byId ? caller.id : '@me', { nickname }, method)
      assert.deepEqual([status, await nicknameOf(caller)], [200, nickname])
    }
  assert.equal((await below.client.members.updateMe(spaceId, { nickname: null })).nickname, null)
  assert.equal(await nicknameOf(below), null)
})

test('MEMBER-10: it requires ChangeNickname, even with the permission for others’ nicknames', async () => {
  const { owner, actor, bot, below } = people
  await setEveryone(server, spaceId, DEFAULT_PERMISSIONS & ~ChangeNickname)
  for (const caller of [below, actor, bot])
    for (const target of ['@me', caller.id]) {
      const { status, code } = await rename(caller, target, { nickname: 'x' })
      assert.deepEqual([status, code], [403, 'missing_permission'])
    }
  assert.equal((await rename(owner, '@me', { nickname: 'x' })).status, 200)
})

test('MEMBER-10: a nickname has 1 to 64 characters, trimmed; omitted it stays', async () => {
  const { below } = people
  await rename(below, '@me', { nickname: '  kept  ' })
  for (const body of [{}, { nick: 'other' }]) assert.equal((await rename(below, '@me', body)).status, 200)
  assert.equal(await nicknameOf(below), 'kept')
  const refused = ['', '   ', '😀'.repeat(65), 1, true, [], {}, 'a\0b', '\ud800']
  for (const nickname of refused) {
    const { status, answer } = await rename(below, '@me', { nickname })
    assert.equal(status, 400, JSON.stringify(nickname))
    assert.match(JSON.stringify(answer), /nickname/)
  }
  for (const body of ['', 'null', '[]', '"x"']) assert.equal((await rename(below, '@me', body)).status, 400)
  assert.equal(await nicknameOf(below), 'kept')
  assert.equal((await rename(below, '@me', { nickname: '😀'.repeat(64) })).status, 200)
})

test('MEMBER-11: people and bots with ManageRoles rename members below them, and no others', async () => {
  const { owner, above, actor, equal, bot, below } = people
  for (const caller of [actor, bot]) {
    const answer = await caller.client.members.update(spaceId, below.id, { nickname: 'Given' })
    assert.deepEqual(answer, await plain(below))
    assert.equal(answer.nickname, 'Given')
    for (const target of [owner, above, equal]) {
      const { status, code } = await rename(caller, target.id, { nickname: 'Given' })
      assert.deepEqual([status, code, await nicknameOf(target)], [403, 'member_not_below', null])
    }
  }
})

/** Returns a member without the fields that only the list has. */
async function plain({ id }: Person) {
  const { user, position, ...member } = await people.owner.client.members.get(spaceId, id)
  return member
}

test('MEMBER-11: the owner renames everyone, and nobody else renames the owner', async () => {
  const { owner, above, actor, equal, bot, below } = people
  for (const target of [above, actor, equal, below, bot])
    assert.equal((await rename(owner, target.id, { nickname: 'Given' }, 'PUT')).status, 200)
  const administrators = await insertRole(server, spaceId, {
    permissions: Permission.Administrator,
    position: 3,
  })
  await assignRole(server, { spaceId, userId: above.id, roleId: administrators })
  assert.equal((await rename(above, equal.id, { nickname: 'Other' })).status, 200)
  assert.equal((await rename(above, owner.id, { nickname: 'Other' })).code, 'member_not_below')
})

test('MEMBER-11: every id and body is the same 403 without ManageRoles, also for outsiders', async () => {
  const { owner, above, equal, outsider } = people
  const targets = [owner.id, equal.id, outsider.id, newId(), spaceId]
  for (const target of targets)
    for (const body of [{ nickname: 'x' }, { nickname: 1 }, '{']) {
      assert.equal((await rename(above, target, body)).code, 'missing_permission')
      assert.equal((await rename(outsider, target, body)).code, 'not_a_member')
    }
  for (const target of ['@me', outsider.id])
    assert.equal((await rename(outsider, target, { nickname: 'x' })).code, 'not_a_member')
})

test('MEMBER-11: a user who is not a member is 404 with ManageRoles, whatever the body', async () => {
  const { owner, actor, outsider } = people
  for (const caller of [actor, owner])
    for (const target of [outsider.id, newId(), spaceId]) {
      assert.equal((await rename(caller, target, { nickname: 'x' })).code, 'unknown_member')
      assert.deepEqual(await rename(caller, target, { nickname: 1 }), await rename(caller, target, {}))
    }
  assert.equal((await rename(actor, 'x', { nickname: 'x' })).status, 400)
})

test('MEMBER-12: the space receives the whole member, once for each change', async () => {
  const { above, actor, equal, below } = people
  await rename(below, '@me', { nickname: 'One' })
  const one = await plain(below)
  await rename(actor, below.id, { nickname: 'Two' })
  const two = await plain(below)
  const before = await published()
  assert.deepEqual(before.slice(-2), [one, two])
  await rename(below, '@me', { nickname: ' Two ' })
  await rename(actor, below.id, {})
  await rename(actor, above.id, { nickname: 'Three' })
  await rename(equal, '@me', { nickname: null })
  assert.deepEqual(await published(), before)
})

test('MEMBER-15: a member who loses the role while renaming renames nobody', async () => {
  const { actor, below } = people
  const lock = await holdLock(server, sql`select from spaces where id = ${spaceId} for no key update`)
  const renamed = rename(actor, below.id, { nickname: 'Late' })
  await lock.waitForBlocked(1)
  await server.deps.database.execute(sql`
    delete from member_roles where space_id = ${spaceId} and user_id = ${actor.id}`)
  await lock.release()
  assert.equal((await renamed).code, 'missing_permission')
  assert.equal(await nicknameOf(below), null)
})

test('MEMBER-15: the later of two simultaneous renames counts, and both are published', async () => {
  const { actor, below } = people
  const lock = await holdLock(server, sql`select from spaces where id = ${spaceId} for no key update`)
  const first = rename(actor, below.id, { nickname: 'First' })
  await lock.waitForBlocked(1)
  const second = rename(below, '@me', { nickname: 'Second' })
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual([(await first).status, (await second).status], [200, 200])
  assert.equal(await nicknameOf(below), 'Second')
  const nicknames = (await published()).slice(-2).map((data) => Object(data).nickname)
  assert.deepEqual(nicknames, ['First', 'Second'])
})
