import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { SESSION_COOKIE } from '@foyer/protocol/token-names'
import { credentialOf, emailOf, send, signIn, tryLogin } from '#test/scenes/accounts.ts'
import { startOwnServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

let server: TestServer

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())

const bearing = (sessionToken: string) => ({ 'x-session-token': sessionToken })

/** Logs in as a client that sends a session token, real or not. */
async function logIn(username: string, headers: Record<string, string>, password = TEST_PASSWORD) {
  const body = { email: emailOf(username), password }
  return (await send(server, 'POST', '/api/auth/login', { body, headers })).status
}

/** Fails logins until the account is locked for strangers. */
async function lockOut(username: string): Promise<void> {
  for (let count = 0; count < 10; count += 1) await tryLogin(server, emailOf(username), 'wrong password')
  assert.equal((await tryLogin(server, emailOf(username))).status, 429)
}

test('AUTH-35: strangers do not lock out a client that has a session of the account', async () => {
  const { session_token } = await signIn(server, 'ann')
  await lockOut('ann')
  assert.equal(await logIn('ann', bearing(session_token)), 200)
  await lockOut('ann')
  assert.equal(await logIn('ann', { cookie: `${SESSION_COOKIE}=${session_token}` }), 200)
})

test('AUTH-35: a session of another account, an expired one, and a made-up token bypass nothing', async () => {
  const [bea, eve] = [await signIn(server, 'bea'), await signIn(server, 'eve')]
  const ended = await signIn(server, 'cora')
  await send(server, 'POST', '/api/auth/logout', { headers: credentialOf(ended) })
  await lockOut('bea')
  await lockOut('cora')
  assert.equal(await logIn('bea', bearing(eve.session_token)), 429)
  assert.equal(await logIn('bea', bearing(`${bea.session_token}x`)), 429)
  assert.equal(await logIn('bea', bearing(bea.access_token)), 429)
  assert.equal(await logIn('cora', bearing(ended.session_token)), 429)
})

test('AUTH-35: a known client has ten attempts, too, which count for nobody else', async () => {
  const { session_token } = await signIn(server, 'dora')
  const guess = (password?: string) => logIn('dora', bearing(session_token), password)
  for (let count = 0; count < 9; count += 1) assert.equal(await guess('wrong password'), 401)
  assert.equal(await guess(), 200)
  for (let count = 0; count < 10; count += 1) assert.equal(await guess('wrong password'), 401)
  assert.equal(await guess(), 429)
  assert.equal((await tryLogin(server, emailOf('dora'))).status, 200)
})
