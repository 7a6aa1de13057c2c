import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { CloseCode } from '@foyer/protocol/gateway'
import { Administration } from '@foyer/sdk/api/administration'
import { sql } from '#src/kernel/sql/sql.ts'
import { createMailToken } from '#src/people/auth/mail-tokens.ts'
import { GatewayClient, identify } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { awaitMail, listMails, tokenIn } from '#test/outside/mailbox.ts'
import { emailOf, send, signIn, statusOf, tryLogin, tryRefresh } from '#test/scenes/accounts.ts'
import { askCommand, makeBotSpace } from '#test/scenes/interactions.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let count = 0

before(async () => {
  server = await startTestServer()
  ada = await createOperator(server, 'ada')
})
after(() => server.close())
beforeEach(() => {
  count += 1
})

async function namesOf(query: string, more: { locked?: boolean; limit?: number; after?: string } = {}) {
  const found = await ada.client.api(Administration).findUsers({ query, ...more })
  return found.map(({ user }) => user.username)
}

test('OPERATOR-7: operators find users by the beginning of a name, or by a whole address or id, in pages', async () => {
  const names = ['find_a', 'find.b', 'finda', 'other']
  const people = await Promise.all(names.map((name) => createPerson(server, name)))
  assert.deepEqual(await namesOf('FIND'), ['find.b', 'find_a', 'finda'])
  assert.deepEqual(await namesOf('find_'), ['find_a'], 'a _ is no wildcard')
  assert.deepEqual(await namesOf('%'), [])
  assert.deepEqual(await namesOf('find_a@example.org'), ['find_a'])
  assert.deepEqual(await namesOf('find_a@'), [])
  assert.deepEqual(await namesOf(people[3]?.id.toUpperCase() ?? ''), ['other'])
  const first = await ada.client.api(Administration).findUsers({ query: 'find', limit: 2 })
  assert.deepEqual(await namesOf('find', { limit: 2, after: first[1]?.user.id ?? '' }), ['finda'])
  await ada.client.api(Administration).lockUser(people[2]?.id ?? '', { reason: 'spam' })
  assert.deepEqual(await namesOf('find', { locked: true }), ['finda'])
  assert.deepEqual(await namesOf('finda@example.org', { locked: true }), ['finda'])
  assert.deepEqual(await namesOf('other', { locked: true }), [])
})

test('OPERATOR-7: no answer to operators has an address, a hash or a token', async () => {
  await signIn(server, `secret${count}`)
  const answer = await ada.call('GET', `/api/operator/users?query=${emailOf(`secret${count}`)}`)
  const text = JSON.stringify(answer.body)
  assert.match(text, new RegExp(`secret${count}`))
  assert.doesNotMatch(text, /example\.org|argon2|password|token|phone|birthdate/)
})

test('OPERATOR-8: a lock ends every session at once, and refuses login and refresh with a code of its own', async () => {
  const name = `eve${count}`
  const tokens = await signIn(server, name)
  const identity = { token: tokens.access_token, session_token: tokens.session_token }
  const gateway = await identify(server, identity)
  const locked = await ada.client.api(Administration).lockUser(tokens.user.id, { reason: 'spam' })
  assert.equal(locked.lock_reason, 'spam')
  assert.equal(await gateway.closed, CloseCode.SessionEnded)
  assert.equal(await statusOf(server, tokens), 401)
  const refreshed = await tryRefresh(server, tokens)
  assert.deepEqual([refreshed.status, refreshed.code], [403, 'account_locked'])
  const login = await tryLogin(server, emailOf(name))
  assert.deepEqual([login.status, login.code], [403, 'account_locked'])
  assert.deepEqual(login.body, { error: 'this account is locked by the operators of this server' })
  assert.equal((await tryLogin(server, emailOf(name), 'wrong password')).code, 'invalid_login')
  const again = new GatewayClient(server, {})
  await again.findCommand(10)
  again.send(2, identity)
  assert.equal(await again.closed, CloseCode.CredentialRefused)
  await ada.client.api(Administration).unlockUser(tokens.user.id)
  assert.equal((await tryLogin(server, emailOf(name))).status, 200)
})

test('OPERATOR-8: a locked account gets no link for a new password, and an earlier link is void', async () => {
  const name = `fay${count}`
  const { user } = await signIn(server, name)
  const forget = () => send(server, 'POST', '/api/auth/forgot-password', { body: { email: emailOf(name) } })
  await forget()
  const token = tokenIn(await awaitMail(server, emailOf(name), { subject: 'Set a new' }))
  await ada.client.api(Administration).lockUser(user.id)
  const reset = { token, password: 'another password' }
  assert.equal(
    (await send(server, 'POST', '/api/auth/reset-password', { body: reset })).code,
    'invalid_token',
  )
  await awaitMail(server, emailOf(name), { subject: 'Verify' })
  const before = (await listMails(server, emailOf(name))).length
  await forget()
  // The mail of an account that is not locked comes after it.
  await signIn(server, `later${count}`)
  await awaitMail(server, emailOf(`later${count}`), { subject: 'Verify' })
  assert.equal((await listMails(server, emailOf(name))).length, before)
})

test('OPERATOR-8: a mailed link that a lock has missed changes nothing', async () => {
  const tokens = await signIn(server, `gil${count}`)
  const { id } = tokens.user
  await ada.client.api(Administration).lockUser(id)
  const use = async (purpose: 'verify' | 'change-email', email: string) => {
    const token = await createMailToken(server.deps.database, purpose, { user_id: id, email })
    return (await send(server, 'POST', `/api/auth/${purpose}`, { body: { token } })).code
  }
  assert.equal(await use('verify', emailOf(`gil${count}`)), 'invalid_token')
  assert.equal(await use('change-email', `new${count}@example.org`), 'invalid_token')
  await ada.client.api(Administration).unlockUser(id)
  assert.equal((await tryLogin(server, emailOf(`gil${count}`))).status, 200)
})

test('OPERATOR-8: the reason in the header takes precedence over that in the body, in the lock and in the log', async () => {
  const { id } = await createPerson(server, `hal${count}`)
  const locked = await ada.client.api(Administration).lockUser(id, { reason: 'body' }, { reason: 'header' })
  const [entry] = (await ada.client.api(Administration).log({ target_id: id })).entries
  assert.deepEqual([locked.lock_reason, entry?.reason], ['header', 'header'])
})

test('OPERATOR-8: what a locked user wrote stays, and they stay a member', async () => {
  const eve = await createPerson(server, `writer${count}`)
  const space = await makeSpace(ada, [eve])
  const { id } = await eve.client.messages.create(space.general, { content: 'still here' })
  await ada.client.api(Administration).lockUser(eve.id)
  assert.equal((await ada.client.messages.get(space.general, id)).content, 'still here')
  assert.equal((await ada.client.members.get(space.id, eve.id)).user_id, eve.id)
})

test('OPERATOR-9: the bots of a locked account are locked with it', async () => {
  const owner = await createPerson(server, `owner${count}`)
  const bot = await createApplicationBot(server, owner, { name: `Helper ${count}` })
  const other = await createApplicationBot(server, owner, { name: `Other ${count}` })
  const gateway = new GatewayClient(server, {})
  await gateway.findCommand(10)
  gateway.send(2, { token: bot.token })
  await gateway.findEvent('READY')
  await ada.client.api(Administration).lockUser(owner.id)
  assert.equal(await gateway.closed, CloseCode.SessionEnded)
  assert.equal((await bot.call('GET', '/api/users/@me')).status, 401)
  await ada.client.api(Administration).unlockUser(owner.id)
  assert.equal((await bot.call('GET', '/api/users/@me')).status, 200)
  await ada.client.api(Administration).lockUser(bot.id)
  assert.equal((await bot.call('GET', '/api/users/@me')).status, 401)
  assert.equal((await other.call('GET', '/api/users/@me')).status, 200)
})

test('OPERATOR-9: a locked bot, or one of a locked owner, answers no interaction that it had received', async () => {
  const place = await makeBotSpace(server, [{ name: 'go', description: 'x' }])
  const given = await askCommand(place, 'go')
  const { interactions } = place.bot.client
  const operator = ada.client.api(Administration)
  for (const id of [place.bot.id, place.owner.id]) {
    await operator.lockUser(id)
    const data = { content: 'too late' }
    await assert.rejects(interactions.answer(given, { type: 'message', data }), {
      code: 'interaction_expired',
    })
    await assert.rejects(interactions.followUp(given, data), { code: 'interaction_expired' })
    await operator.unlockUser(id)
  }
  await interactions.answer(given, { type: 'message', data: { content: 'in time' } })
})

test('OPERATOR-10: operators delete an account as its owner could, without the password', async () => {
  const name = `gone${count}`
  const tokens = await signIn(server, name)
  const person = await createPerson(server, `owns${count}`)
  const { space } = await person.client.spaces.create({ name: 'Mine' })
  const operator = ada.client.api(Administration)
  await assert.rejects(operator.deleteUser(person.id), { status: 400, code: 'user_owns_spaces' })
  assert.equal((await person.client.spaces.get(space.id)).owner_id, person.id)
  await operator.deleteUser(tokens.user.id, { reason: 'asked for it' })
  assert.equal(await statusOf(server, tokens), 401)
  assert.match((await ada.client.users.get(tokens.user.id)).username, /^deleted_/)
  await assert.rejects(operator.deleteUser(tokens.user.id), { status: 404, code: 'unknown_user' })
  const [entry] = (await operator.log({ target_id: tokens.user.id })).entries
  assert.deepEqual([entry?.action, entry?.target_name, entry?.reason], ['user_delete', null, 'asked for it'])
})

test('OPERATOR-10: an operator whose rights end meanwhile destroys nothing, not even a bot', async () => {
  const other = await createOperator(server, `second${count}`)
  const owner = await createPerson(server, `keeper${count}`)
  const bot = await createApplicationBot(server, owner, { name: `Kept ${count}` })
  const lock = await holdLock(server, sql`select from users where id = ${bot.id} for update`)
  const refused = assert.rejects(other.client.api(Administration).deleteUser(owner.id), {
    code: 'operator_only',
  })
  await lock.waitForBlocked(1)
  await ada.client.api(Administration).revoke(other.id)
  await lock.release()
  await refused
  assert.equal((await bot.call('GET', '/api/users/@me')).status, 200)
  assert.deepEqual((await ada.client.api(Administration).log({ target_id: owner.id })).entries, [])
  await ada.client.api(Administration).deleteUser(owner.id)
  assert.equal((await bot.call('GET', '/api/users/@me')).status, 401)
  assert.equal((await ada.client.api(Administration).log({ target_id: owner.id })).entries.length, 1)
})

test('OPERATOR-10: a deleted bot takes its application with it', async () => {
  const owner = await createPerson(server, `maker${count}`)
  const bot = await createApplicationBot(server, owner, { name: `Robot ${count}` })
  await ada.client.api(Administration).deleteUser(bot.id)
  assert.deepEqual(await owner.client.applications.list(), [])
  assert.equal((await bot.call('GET', '/api/users/@me')).status, 401)
})

test('OPERATOR-10: an operator may delete their own account while there is another', async () => {
  const other = await createOperator(server, `leaving${count}`)
  await other.client.api(Administration).deleteUser(other.id)
  const rows = await server.deps.database.query(sql`select from operators where user_id = ${other.id}`)
  assert.equal(rows.length, 0)
})
