import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CloseCode } from '@foyer/protocol/gateway'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { identify } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
})
after(() => server.close())

test('APP-8: the bot of a deleted application is disconnected everywhere, and its name is free', async () => {
  const bot = await createApplicationBot(server, ada, { name: 'Doomed', description: 'For now' })
  const spaces = [await makeSpace(ada), await makeSpace(eve)]
  for (const [index, owner] of [ada, eve].entries()) {
    await owner.client.members.addBot(spaces[index]?.id ?? '', bot.id)
  }
  const connection = await identify(server, { token: `Bot ${bot.token}` })
  await ada.client.applications.delete(bot.id)
  assert.equal((await bot.call('GET', '/api/users/@me')).status, 401)
  assert.equal(await connection.closed, CloseCode.SessionEnded)
  for (const { id } of spaces) {
    const heard = (await listJournal(server, topicOf.space(id))).slice(-2)
    assert.deepEqual(
      heard.map(({ name }) => name),
      ['USER_UPDATE', 'SPACE_MEMBER_DELETE'],
    )
    assert.deepEqual(heard[1]?.data, { space_id: id, user_id: bot.id, member_count: 1 })
  }
  assert.equal((await ada.client.members.list(spaces[0]?.id ?? '')).length, 1)
  assert.equal((await ada.call('GET', `/api/applications/${bot.id}`)).code, 'unknown_application')
  const user = await eve.client.users.get(bot.id)
  assert.match(user.username, /^deleted_[0-9a-f]{24}$/)
  assert.deepEqual([user.alias, user.is_bot, user.deleted_at === null], [null, true, false])
  assert.equal(
    (await createApplicationBot(server, eve, { name: 'X', username: 'doomed' })).id !== bot.id,
    true,
  )
})

test('APP-8: the bot’s messages stay', async () => {
  const bot = await createApplicationBot(server, ada, { name: 'Talker' })
  const space = await makeSpace(ada)
  await ada.client.members.addBot(space.id, bot.id)
  await bot.client.messages.create(space.general, { content: 'Remember me' })
  await ada.client.applications.delete(bot.id)
  const [message] = await ada.client.messages.list(space.general)
  assert.equal(message?.content, 'Remember me')
  assert.match(message?.author.username ?? '', /^deleted_/)
})

test('APP-8: one of several simultaneous deletions succeeds, and no token is created after it', async () => {
  const bot = await createApplicationBot(server, ada, { name: 'Contested' })
  const space = await makeSpace(ada)
  await ada.client.members.addBot(space.id, bot.id)
  const path = `/api/applications/${bot.id}`
  const lock = await holdLock(server, sql`select from users where id = ${bot.id} for no key update`)
  const deletions = [ada.call('DELETE', path), ada.call('DELETE', path)]
  await lock.waitForBlocked(2)
  const reset = ada.call('POST', `${path}/bot/token`)
  await lock.release()
  const statuses = (await Promise.all(deletions)).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [204, 404])
  assert.ok([200, 404].includes((await reset).status))
  const rows = await server.deps.database.query(sql`select from bot_tokens where user_id = ${bot.id}`)
  assert.equal(rows.length, 0)
})

test('APP-8: a change after the deletion is 404', async () => {
  const bot = await createApplicationBot(server, ada, { name: 'Late' })
  const lock = await holdLock(server, sql`delete from applications where id = ${bot.id}`)
  const calls = [
    ada.call('PATCH', `/api/applications/${bot.id}`, { name: 'Later' }),
    ada.call('POST', `/api/applications/${bot.id}/bot/token`),
    ada.call('DELETE', `/api/applications/${bot.id}`),
  ]
  await lock.waitForBlocked(3)
  await lock.release()
  for (const { code } of await Promise.all(calls)) assert.equal(code, 'unknown_application')
})
