import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LoginResult } from '@foyer/protocol/auth'
import { sql } from '#src/kernel/sql/sql.ts'
import {
  credentialOf,
  logIn,
  loginResult,
  send,
  signIn,
  statusOf,
  tryRefresh,
} from '#test/scenes/accounts.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let server: TestServer

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())

async function refresh(tokens: LoginResult): Promise<LoginResult> {
  return loginResult(await tryRefresh(server, tokens))
}

test('AUTH-11: refresh replaces all three tokens, and the new ones work', async () => {
  const old = await signIn(server, 'ann')
  const renewed = await refresh(old)
  assert.notEqual(renewed.access_token, old.access_token)
  assert.notEqual(renewed.refresh_token, old.refresh_token)
  assert.notEqual(renewed.session_token, old.session_token)
  assert.equal(renewed.session_expires_at, old.session_expires_at)
  assert.deepEqual(renewed.user, old.user)
  assert.equal(await statusOf(server, renewed), 200)
  assert.equal(await statusOf(server, await refresh(renewed)), 200)
})

test('AUTH-11: the session token is accepted in the header, the body or the cookie', async () => {
  let tokens = await signIn(server, 'bea')
  const ways = [
    ({ session_token }: LoginResult) => ({ headers: { 'x-session-token': session_token }, body: {} }),
    ({ session_token }: LoginResult) => ({ headers: {}, body: { session_token } }),
    ({ session_token }: LoginResult) => ({
      headers: { cookie: `service_session_token=${session_token}` },
      body: {},
    }),
  ]
  for (const way of ways) {
    const { headers, body } = way(tokens)
    const request = { headers, body: { ...body, refresh_token: tokens.refresh_token } }
    const answer = await send(server, 'POST', '/api/auth/refresh', request)
    tokens = loginResult(answer)
    const cookie = answer.headers.get('set-cookie') ?? ''
    assert.ok(cookie.startsWith(`service_session_token=${tokens.session_token};`))
  }
})

test('AUTH-11: a header takes precedence over the body, and the body over the cookie', async () => {
  const tokens = await signIn(server, 'bert')
  const other = await signIn(server, 'berta')
  const { refresh_token, session_token } = tokens
  const header = { 'x-session-token': other.session_token }
  const body = { refresh_token, session_token }
  assert.equal((await send(server, 'POST', '/api/auth/refresh', { headers: header, body })).status, 401)
  const cookie = { cookie: `service_session_token=${other.session_token}` }
  assert.equal((await send(server, 'POST', '/api/auth/refresh', { headers: cookie, body })).status, 200)
})

test('AUTH-12: a refresh token works once, and its reuse ends the session with its new tokens', async () => {
  const old = await signIn(server, 'cleo')
  const elsewhere = await logIn(server, 'cleo')
  const renewed = await refresh(old)
  const reuse = await tryRefresh(server, old)
  assert.equal(reuse.status, 401)
  assert.deepEqual(reuse.body, { error: 'authentication required' })
  assert.equal(await statusOf(server, renewed), 401)
  assert.equal((await tryRefresh(server, renewed)).status, 401)
  assert.equal(await statusOf(server, elsewhere), 200)
})

test('AUTH-12: exactly one of several simultaneous uses succeeds, and the others end the session', async () => {
  const tokens = await signIn(server, 'dora')
  const answers = await Promise.all(Array.from({ length: 8 }, () => tryRefresh(server, tokens)))
  const winners = answers.filter(({ status }) => status === 200)
  assert.equal(winners.length, 1)
  assert.equal(answers.filter(({ status }) => status === 401).length, 7)
  assert.equal(await statusOf(server, loginResult(winners[0] ?? assert.fail())), 401)
})

test('AUTH-13: a session token that is missing, wrong or of another session is 401 and changes nothing', async () => {
  const tokens = await signIn(server, 'emma')
  const sameUser = await logIn(server, 'emma')
  const otherUser = await signIn(server, 'emmo')
  const wrong = [
    undefined,
    'wrong',
    sameUser.session_token,
    otherUser.session_token,
    tokens.access_token,
    tokens.refresh_token,
    `${tokens.session_token}x`,
  ]
  for (const session_token of wrong) {
    const body = { refresh_token: tokens.refresh_token, session_token }
    const answer = await send(server, 'POST', '/api/auth/refresh', { body })
    assert.equal(answer.status, 401, String(session_token))
    assert.equal(answer.headers.get('set-cookie'), null)
  }
  assert.equal(await statusOf(server, await refresh(tokens)), 200)
})

test('AUTH-13: an old refresh token alone, without its session, ends nothing', async () => {
  const old = await signIn(server, 'emil')
  const renewed = await refresh(old)
  const other = await signIn(server, 'emilia')
  const body = { refresh_token: old.refresh_token, session_token: other.session_token }
  assert.equal((await send(server, 'POST', '/api/auth/refresh', { body })).status, 401)
  assert.equal(await statusOf(server, renewed), 200)
})

test('AUTH-11: other tokens cannot refresh', async () => {
  const tokens = await signIn(server, 'fay')
  const { session_token } = tokens
  for (const refresh_token of [tokens.access_token, session_token, 'x', `${tokens.refresh_token}=`]) {
    const answer = await send(server, 'POST', '/api/auth/refresh', { body: { refresh_token, session_token } })
    assert.equal(answer.status, 401)
  }
  assert.equal((await send(server, 'POST', '/api/auth/refresh', { body: { session_token } })).status, 400)
})

test('AUTH-9: access and session tokens must belong to the same session', async () => {
  const [first, second] = [await signIn(server, 'gina'), await logIn(server, 'gina')]
  const other = await signIn(server, 'gerd')
  for (const { session_token } of [second, other]) {
    const headers = credentialOf({ access_token: first.access_token, session_token })
    const answer = await send(server, 'GET', '/api/users/@me', { headers })
    assert.equal(answer.status, 401)
    assert.deepEqual(answer.body, { error: 'authentication required' })
  }
  const { authorization } = credentialOf(first)
  assert.equal((await send(server, 'GET', '/api/users/@me', { headers: { authorization } })).status, 401)
  const small = { ...credentialOf(first), authorization: authorization.replace('Bearer', 'bearer') }
  assert.equal((await send(server, 'GET', '/api/users/@me', { headers: small })).status, 200)
  assert.equal(await statusOf(server, first), 200)
})

test('AUTH-10: the previous session token works for 60 seconds after a refresh, and older ones do not', async (t) => {
  const oldest = await signIn(server, 'hana')
  const old = await refresh(oldest)
  const newest = await refresh(old)
  const { access_token } = newest
  assert.equal(await statusOf(server, { ...newest, session_token: old.session_token }), 200)
  assert.equal(await statusOf(server, { ...newest, session_token: oldest.session_token }), 401)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 })
  assert.equal(await statusOf(server, { ...newest, access_token, session_token: old.session_token }), 401)
  assert.equal(await statusOf(server, newest), 200)
})

test('AUTH-10: an access token works for 24 hours, and a refresh gives another 24', async (t) => {
  const tokens = await signIn(server, 'ines')
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + DAY_MS - 5000 })
  assert.equal(await statusOf(server, tokens), 200)
  t.mock.timers.setTime(Date.parse(tokens.expires_at))
  assert.equal(await statusOf(server, tokens), 401)
  const renewed = await refresh(tokens)
  assert.equal(Date.parse(renewed.expires_at), Date.parse(tokens.expires_at) + DAY_MS)
  assert.equal(await statusOf(server, renewed), 200)
})

test('AUTH-10: nothing refreshes 30 days after the login, and no access token outlives the session', async (t) => {
  const tokens = await signIn(server, 'jana')
  const days = (Date.parse(tokens.session_expires_at) - Date.parse(tokens.expires_at)) / DAY_MS
  assert.equal(Math.round(days), 29)
  // Moves the session to its last minute. The clock cannot be moved that far, because the journal has no partition
  // there.
  const end = new Date(Date.now() + 60_000)
  await server.deps.database.execute(
    sql`update sessions set expires_at = ${end} where user_id = ${tokens.user.id}`,
  )
  const last = await refresh(tokens)
  assert.deepEqual([last.expires_at, last.session_expires_at], [end.toISOString(), end.toISOString()])
  t.mock.timers.enable({ apis: ['Date'], now: end.getTime() })
  assert.equal(await statusOf(server, last), 401)
  assert.equal((await tryRefresh(server, last)).status, 401)
})

test('AUTH-10: a session that has ended in the database is over, whatever its tokens say', async () => {
  const tokens = await signIn(server, 'karl')
  await server.deps.database.execute(
    sql`update sessions set expires_at = now() where user_id = ${tokens.user.id}`,
  )
  assert.equal((await tryRefresh(server, tokens)).status, 401)
})
