import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { forgetCredentials } from '#test/forget-credentials.ts'
import { credentialOf, send, signIn, tryLogin } from '#test/scenes/accounts.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'
import { createBotToken } from './bot-tokens.ts'

let server: TestServer
let botId: string
let botToken: string

before(async () => {
  server = await startTestServer()
  botId = newId()
  await server.deps.database.execute(
    sql`insert into users (id, username, is_bot) values (${botId}, 'robot', true)`,
  )
  botToken = await newBotToken()
})
after(() => server.close())

function newBotToken(): Promise<string> {
  return server.deps.database.transaction((transaction) => createBotToken(transaction, botId))
}

function meAs(authorization: string) {
  return send(server, 'GET', '/api/users/@me', { headers: { authorization } })
}

test('AUTH-26: a bot is identified by its token, without a session', async () => {
  const answer = await meAs(`Bot ${botToken}`)
  assert.equal(answer.status, 200)
  assert.match(answer.text, /"is_bot":true/)
  const [kept] = await server.deps.database.query<{ row: string }>(
    sql`select bot_tokens::text as row from bot_tokens where user_id = ${botId}`,
  )
  assert.ok(!kept?.row.includes(botToken.slice(botId.length + 1)))
})

test('AUTH-26: a new token replaces the old one at once', async () => {
  const old = botToken
  assert.equal((await meAs(`Bot ${old}`)).status, 200)
  botToken = await newBotToken()
  await forgetCredentials(server, botId)
  assert.equal((await meAs(`Bot ${old}`)).status, 401)
  assert.equal((await meAs(`Bot ${botToken}`)).status, 200)
})

test('AUTH-26: nothing else is accepted as a bot’s token', async () => {
  const person = await signIn(server, 'ann')
  const random = botToken.slice(botId.length + 1)
  const wrong = [
    `Bearer ${botToken}`,
    `Bots ${botToken}`,
    `Bot ${person.user.id}.${random}`,
    `Bot ${newId()}.${random}`,
    `Bot ${botId}.`,
    `Bot ${'-'.repeat(36)}.${random}`,
    `Bot ${botId}`,
    `Bot ${random}`,
    `Bot ${person.access_token}`,
    'Bot',
    botToken,
  ]
  for (const authorization of wrong) assert.equal((await meAs(authorization)).status, 401, authorization)
  assert.equal((await meAs(`bot ${botToken}`)).status, 200, 'schemes ignore case')
})

test('AUTH-26: a bot cannot log in, and has no password', async () => {
  assert.equal((await tryLogin(server, 'robot')).status, 401)
})

const humanOnly = [
  ['POST', '/api/auth/logout'],
  ['GET', '/api/auth/sessions'],
  ['DELETE', `/api/auth/sessions/${newId()}`],
  ['POST', '/api/auth/verify/send'],
  ['POST', '/api/auth/reset-password/send'],
  ['POST', '/api/auth/change-email/send'],
  ['DELETE', '/api/users/@me'],
] as const

for (const [method, path] of humanOnly) {
  test(`AUTH-24: ${method} ${path.replace(/[0-9a-f-]{36}/, ':id')} refuses bots and strangers`, async () => {
    const bot = await send(server, method, path, { headers: { authorization: `Bot ${botToken}` } })
    assert.equal(bot.status, 403)
    assert.deepEqual(bot.body, { error: 'bots cannot use this endpoint' })
    const stranger = await send(server, method, path)
    assert.equal(stranger.status, 401)
    assert.deepEqual(stranger.body, { error: 'authentication required' })
  })
}

test('AUTH-24: people may use what bots may not', async () => {
  const headers = credentialOf(await signIn(server, 'bea'))
  const { status } = await send(server, 'DELETE', '/api/users/@me', {
    headers,
    body: { password: TEST_PASSWORD },
  })
  assert.equal(status, 204)
})
