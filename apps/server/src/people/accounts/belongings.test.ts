import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Client } from '@foyer/sdk/client'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { signIn } from '#test/scenes/accounts.ts'
import { befriend } from '#test/scenes/friends.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

let server: TestServer
let host: Person
/** A user in more spaces than a person may join. */
let crowded: Person
let leaver: { id: string; client: Client }
let count = 0

before(async () => {
  server = await startTestServer()
  host = await createPerson(server, 'host')
  crowded = await createPerson(server, 'crowded')
})
after(() => server.close())

beforeEach(async () => {
  count += 1
  const tokens = await signIn(server, `leaver${count}`)
  const client = new Client({ baseUrl: server.url, tokens, retry: { maxAttempts: 1 } })
  leaver = { id: tokens.user.id, client }
})

const deleteAccount = () => leaver.client.users.deleteMe({ password: TEST_PASSWORD })

/** Inserts spaces of another owner with the user as a member: too many to join one by one. */
async function joinMany(userId: string, spaces: number): Promise<string[]> {
  const ids = Array.from({ length: spaces }, () => newId())
  await server.deps.database.execute(sql`
    with made as (
      insert into spaces (id, name, owner_id, member_count)
      select id, 'Many', ${crowded.id}, 2 from unnest(${ids}::uuid[]) id returning id
    )
    insert into members (space_id, user_id)
    select id, user_id from made, unnest(${[crowded.id, userId]}::uuid[]) user_id`)
  return ids
}

async function countMemberships(userId: string): Promise<number> {
  const [row] = await server.deps.database.query<{ count: number }>(
    sql`select count(*) from members where user_id = ${userId}`,
  )
  return row?.count ?? 0
}

test('ACCOUNT-1: deleting an account deletes its applications and their bots', async () => {
  const space = await makeSpace(host)
  const bots = [
    await createApplicationBot(server, leaver, { name: 'First' }),
    await createApplicationBot(server, leaver, { name: 'Second', bot_public: false }),
  ]
  const [first] = bots
  await host.client.members.addBot(space.id, first?.id ?? '')
  await deleteAccount()
  for (const bot of bots) {
    assert.equal((await bot.call('GET', '/api/users/@me')).status, 401)
    assert.match((await host.client.users.get(bot.id)).username, /^deleted_/)
    assert.equal((await host.call('GET', `/api/applications/${bot.id}`)).code, 'unknown_application')
  }
  assert.deepEqual(
    (await host.client.members.list(space.id)).map(({ id }) => id),
    [host.id],
  )
})

test('ACCOUNT-1: a refused deletion leaves the applications alone', async () => {
  const bot = await createApplicationBot(server, leaver, { name: 'Kept' })
  await assert.rejects(leaver.client.users.deleteMe({ password: 'wrong' }), { code: 'wrong_password' })
  await leaver.client.spaces.create({ name: 'Mine' })
  await assert.rejects(deleteAccount(), { code: 'owns_spaces' })
  assert.equal((await leaver.client.applications.list()).length, 1)
  assert.equal((await bot.call('GET', '/api/users/@me')).status, 200)
})

test('ACCOUNT-1: two simultaneous deletions delete the applications once', async () => {
  const bot = await createApplicationBot(server, leaver, { name: 'Twice' })
  const space = await makeSpace(host)
  await host.client.members.addBot(space.id, bot.id)
  const lock = await holdLock(server, sql`select from users where id = ${bot.id} for no key update`)
  const attempts = [deleteAccount(), deleteAccount()]
  await lock.waitForBlocked(2)
  await lock.release()
  const results = await Promise.allSettled(attempts)
  assert.ok(results.some(({ status }) => status === 'fulfilled'))
  const journal = await listJournal(server, topicOf.space(space.id))
  assert.equal(journal.filter(({ name }) => name === 'SPACE_MEMBER_DELETE').length, 1)
})

test('ACCOUNT-2: an application created during the deletion keeps the account, and a repeated request continues', async () => {
  const early = await createApplicationBot(server, leaver, { name: 'Early' })
  const owner = await holdLock(server, sql`select from users where id = ${leaver.id} for no key update`)
  const creation = leaver.client.applications.create({ name: 'Meanwhile' })
  await owner.waitForBlocked(1)
  const bot = await holdLock(server, sql`select from users where id = ${early.id} for no key update`)
  const deletion = assert.rejects(deleteAccount(), { code: 'unavailable' })
  await bot.waitForBlocked(2)
  await owner.release()
  await creation
  await bot.release()
  await deletion
  const left = await leaver.client.applications.list()
  assert.deepEqual(
    left.map(({ name }) => name),
    ['Meanwhile'],
  )
  await deleteAccount()
  const rows = await server.deps.database.query(sql`select from applications where owner_id = ${leaver.id}`)
  assert.equal(rows.length, 0)
})

test('ACCOUNT-2: a membership created during the deletion ends, too', async () => {
  const [joined, late] = [await makeSpace(host), await makeSpace(host)]
  const code = async (space: typeof joined) =>
    (await host.client.invites.create(space.id, space.general)).code
  await leaver.client.invites.join(await code(joined))
  const lock = await holdLock(server, sql`select from users where id = ${leaver.id} for no key update`)
  const joining = leaver.client.invites.join(await code(late))
  await lock.waitForBlocked(1)
  const deletion = deleteAccount()
  await lock.waitForBlocked(2)
  await lock.release()
  await Promise.all([joining, deletion])
  assert.equal(await countMemberships(leaver.id), 0)
  for (const space of [joined, late]) {
    assert.equal((await host.client.invites.get(await code(space))).member_count, 1)
    const journal = await listJournal(server, topicOf.space(space.id))
    assert.deepEqual(
      journal.filter(({ name }) => name.startsWith('SPACE_MEMBER_')).map(({ name }) => name),
      ['SPACE_MEMBER_CREATE', 'SPACE_MEMBER_DELETE'],
    )
  }
})

test('USER-6: joining during the deletion causes no deadlock', async () => {
  const space = await makeSpace(host)
  const { code } = await host.client.invites.create(space.id, space.general)
  await leaver.client.invites.join(code)
  const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
  const joining = leaver.client.invites.join(code)
  await lock.waitForBlocked(1)
  const deletion = deleteAccount()
  await lock.waitForBlocked(2)
  await lock.release()
  await Promise.all([joining, deletion])
  assert.equal(await countMemberships(leaver.id), 0)
})

test('USER-6: a user in more spaces than one transaction leaves is removed from all, and all are notified', async () => {
  const spaceIds = await joinMany(leaver.id, 250)
  await deleteAccount()
  assert.equal(await countMemberships(leaver.id), 0)
  const events = await server.deps.database.query<{ name: string; count: number }>(sql`
    select name, count(*) from events where kind = 'space' and tenant_id = any(${spaceIds}) group by name order by name`)
  assert.deepEqual(events, [
    { name: 'AUDIT_LOG_ENTRY_CREATE', count: 250 },
    { name: 'SPACE_MEMBER_DELETE', count: 250 },
    { name: 'USER_UPDATE', count: 250 },
  ])
  const counts = await server.deps.database.query<{ member_count: number }>(
    sql`select distinct member_count from spaces where id = any(${spaceIds})`,
  )
  assert.deepEqual(counts, [{ member_count: 1 }])
})

test('USER-7: the owner of one of many spaces leaves none of them', async () => {
  await joinMany(leaver.id, 120)
  await leaver.client.spaces.create({ name: 'Mine' })
  await assert.rejects(deleteAccount(), { code: 'owns_spaces' })
  assert.equal(await countMemberships(leaver.id), 121)
})

test('USER-7: a space that the user comes to own during the deletion keeps its owner', async () => {
  const space = await makeSpace(host)
  const { code } = await host.client.invites.create(space.id, space.general)
  await leaver.client.invites.join(code)
  const lock = await holdLock(server, sql`update spaces set owner_id = ${leaver.id} where id = ${space.id}`)
  const refusal = assert.rejects(deleteAccount(), { code: 'owns_spaces' })
  await lock.waitForBlocked(1)
  await lock.release()
  await refusal
  assert.equal(await countMemberships(leaver.id), 1)
  assert.equal((await leaver.client.users.me()).deleted_at, null)
})

test('USER-6: friends, requests and blocks end with the account, and the others receive the events', async () => {
  const [friend, asked, blocker] = await Promise.all(
    ['friend', 'asked', 'blocker'].map((name) => createPerson(server, name)),
  )
  assert.ok(friend && asked && blocker)
  await befriend(friend, { ...host, ...leaver })
  const request = await leaver.client.friends.sendRequest(asked.id)
  await blocker.client.friends.block(leaver.id)
  await deleteAccount()
  const lastOf = async ({ id }: Person) => {
    const { name, data } = (await listJournal(server, topicOf.user(id))).at(-1) ?? {}
    return { name, data }
  }
  assert.deepEqual(await lastOf(friend), { name: 'FRIEND_DELETE', data: { user_id: leaver.id } })
  assert.deepEqual(await lastOf(asked), { name: 'FRIEND_REQUEST_DELETE', data: { id: request.id } })
  assert.deepEqual(await lastOf(blocker), { name: 'BLOCK_DELETE', data: { user_id: leaver.id } })
  assert.deepEqual(await friend.client.friends.list(), [])
})
