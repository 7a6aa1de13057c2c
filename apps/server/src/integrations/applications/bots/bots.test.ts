import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect, identify } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { type Bot, createApplicationBot, createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { assignRole, insertRole, listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let manager: Person
let member: Person
let outsider: Person
let space: TestSpace
let bot: Bot
let count = 0

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  manager = await createPerson(server, 'manager')
  member = await createPerson(server, 'member')
  outsider = await createPerson(server, 'outsider')
})
after(() => server.close())

beforeEach(async () => {
  count += 1
  space = await makeSpace(owner, [manager, member])
  const roleId = await insertRole(server, space.id, { permissions: Permission.ManageBots, position: 1 })
  await assignRole(server, { spaceId: space.id, userId: manager.id, roleId })
  bot = await createApplicationBot(server, outsider, { name: `Bot ${count}` })
})

const pathOf = (botId: string) => `/api/spaces/${space.id}/bots/${botId}`
const add = (person: Person, botId = bot.id) => person.call('PUT', pathOf(botId))
const remove = (person: Person, botId = bot.id) => person.call('DELETE', pathOf(botId))

/** Returns the space's member events since it was created. */
async function published(): Promise<string[]> {
  const journal = await listJournal(server, topicOf.space(space.id))
  return journal
    .filter(({ name }) => name.startsWith('SPACE_MEMBER_'))
    .map(({ name }) => name)
    .slice(PUBLISHED_BEFORE)
}

/** Two joins, and one assigned role. */
const PUBLISHED_BEFORE = 3

test('BOT-1: members with ManageBots add a public bot; the space and the bot are notified, and the bot receives later events', async () => {
  const [inside, connection] = [
    await connect(server, member),
    await identify(server, { token: `Bot ${bot.token}` }),
  ]
  const answer = await add(manager)
  assert.equal(answer.status, 200)
  const joined = await owner.client.members.get(space.id, bot.id)
  const { user, position, ...asMember } = joined
  assert.deepEqual(answer.body, asMember)
  assert.deepEqual([user.is_bot, position, joined.roles, joined.nickname], [true, 0, [], null])
  assert.deepEqual((await inside.findEvent('SPACE_MEMBER_CREATE')).d, { ...joined, member_count: 4 })
  const state = Object((await connection.findEvent('SPACE_CREATE')).d)
  assert.deepEqual([state.id, state.member.user_id, state.member_count], [space.id, bot.id, 4])
  const message = await member.client.messages.create(space.general, { content: 'Welcome' })
  assert.deepEqual((await connection.findEvent('MESSAGE_CREATE')).d, message)
  for (const open of [inside, connection]) open.close()
})

test('BOT-1: PUT and POST add a bot alike', async () => {
  assert.equal((await owner.call('POST', pathOf(bot.id))).status, 200)
  assert.deepEqual(await published(), ['SPACE_MEMBER_CREATE'])
})

test('BOT-2: a user who does not exist, is not a bot, or is deleted cannot be added', async () => {
  const deleted = await createApplicationBot(server, outsider, { name: 'Gone' })
  await outsider.client.applications.delete(deleted.id)
  for (const id of [newId(), outsider.id, member.id, manager.id, space.id, deleted.id]) {
    const answer = await add(manager, id)
    assert.deepEqual(answer, { status: 404, code: 'unknown_bot', body: { error: 'bot not found' } }, id)
  }
  assert.deepEqual(await published(), [])
})

test('BOT-2: a bot deleted while it is being added does not become a member', async () => {
  const lock = await holdLock(server, sql`update users set deleted_at = now() where id = ${bot.id}`)
  const adding = add(manager)
  await lock.waitForBlocked(1)
  await lock.release()
  assert.equal((await adding).code, 'unknown_bot')
  assert.deepEqual(await published(), [])
})

test('BOT-3: a private bot cannot be added, not even by its owner', async () => {
  await outsider.client.applications.update(bot.id, { bot_public: false })
  const refused = await add(owner)
  assert.deepEqual(refused, { status: 403, code: 'bot_not_public', body: { error: 'the bot is not public' } })
  const own = await createApplicationBot(server, manager, { name: 'Own', bot_public: false })
  for (const person of [owner, manager]) assert.deepEqual(await add(person, own.id), refused)
  await outsider.client.applications.update(bot.id, { bot_public: true })
  assert.equal((await add(owner)).status, 200)
})

test('BOT-3: a banned bot is refused, also for its owner', async () => {
  const own = await createApplicationBot(server, owner, { name: 'Naughty' })
  await server.deps.database.execute(sql`
    insert into bans (space_id, user_id, banned_by) values (${space.id}, ${own.id}, ${owner.id})`)
  const refused = { status: 403, code: 'bot_banned', body: { error: 'the bot is banned from this space' } }
  for (const person of [manager, owner]) assert.deepEqual(await add(person, own.id), refused)
  const elsewhere = await makeSpace(owner)
  await owner.client.members.addBot(elsewhere.id, own.id)
  assert.deepEqual(await published(), [])
})

test('BOT-4: a bot that is already a member stays as it is, and nothing is published', async () => {
  const roleId = await insertRole(server, space.id, { permissions: 0, position: 2 })
  await add(manager)
  await assignRole(server, { spaceId: space.id, userId: bot.id, roleId })
  const before = await published()
  const again = await add(owner)
  assert.equal(again.status, 200)
  assert.deepEqual(Object(again.body).roles, [roleId])
  assert.deepEqual(await published(), before)
})

test('BOT-4: one of several simultaneous requests adds it', async () => {
  const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
  const attempts = [add(manager), add(owner), add(owner)]
  await lock.waitForBlocked(3)
  await lock.release()
  for (const { status } of await Promise.all(attempts)) assert.equal(status, 200)
  assert.deepEqual(await published(), ['SPACE_MEMBER_CREATE'])
})

test('BOT-5: members with ManageBots remove any bot, public or not, and both sides are notified', async () => {
  await add(manager)
  await outsider.client.applications.update(bot.id, { bot_public: false })
  const connection = await identify(server, { token: `Bot ${bot.token}` })
  const answer = await remove(manager)
  assert.deepEqual([answer.status, answer.body], [204, undefined])
  assert.deepEqual((await connection.findEvent('SPACE_DELETE')).d, { space_id: space.id })
  assert.deepEqual(await published(), ['SPACE_MEMBER_CREATE', 'SPACE_MEMBER_DELETE'])
  await member.client.messages.create(space.general, { content: 'Is it gone?' })
  await connection.settle()
  assert.equal(connection.heard('MESSAGE_CREATE').length, 0)
  assert.equal((await bot.call('GET', `/api/spaces/${space.id}`)).code, 'not_a_member')
  assert.equal((await remove(manager)).code, 'unknown_bot')
  connection.close()
})

test('BOT-5: people and users who are not members cannot be removed this way', async () => {
  const bots = [await createBot(server, 'lonely'), bot]
  for (const { id } of [member, owner, manager, outsider, ...bots, { id: newId() }]) {
    const answer = await remove(owner, id)
    assert.deepEqual(answer, { status: 404, code: 'unknown_bot', body: { error: 'bot not found' } })
  }
  assert.equal((await owner.client.members.list(space.id)).length, 3)
  assert.deepEqual(await published(), [])
})

test('BOT-6: without ManageBots every id gets the same answer', async () => {
  const inside = await createApplicationBot(server, member, { name: 'Inside' })
  await owner.client.members.addBot(space.id, inside.id)
  const before = await published()
  for (const id of [bot.id, inside.id, member.id, newId()]) {
    for (const call of [add, remove]) {
      assert.deepEqual((await call(member, id)).body, { error: "you don't have permission to do this" })
      assert.equal((await call(outsider, id)).code, 'not_a_member')
    }
  }
  assert.deepEqual(await published(), before)
})

test('BOT-6: a permission revoked during the request does not count, and neither does that of a member who left', async () => {
  for (const [taken, code] of [
    [sql`update roles set permissions = 0 where space_id = ${space.id}`, 'missing_permission'],
    [sql`delete from members where space_id = ${space.id} and user_id = ${manager.id}`, 'not_a_member'],
  ] as const) {
    const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
    const attempts = [add(manager), remove(manager)]
    await lock.waitForBlocked(2)
    await server.deps.database.execute(taken)
    await lock.release()
    for (const answer of await Promise.all(attempts)) assert.equal(answer.code, code)
  }
  assert.deepEqual(await published(), [])
})

test('BOT-6: invalid ids are 400, in both positions of the path', async () => {
  assert.equal((await add(owner, 'x')).code, 'invalid_request')
  assert.equal((await owner.call('PUT', `/api/spaces/x/bots/${bot.id}`)).code, 'invalid_request')
})
