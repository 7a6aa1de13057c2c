import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Session } from '@foyer/protocol/auth'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { credentialOf, logIn, loginResult, send, signIn, statusOf, tryLogin } from '#test/scenes/accounts.ts'
import { startTestServer, TEST_PASSWORD, type TestServer, testServerOf } from '#test/server.ts'
import { recordSessionEnds } from '#test/session-ends.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

type Tokens = Awaited<ReturnType<typeof signIn>>

async function listSessions(tokens: Tokens): Promise<Session[]> {
  const answer = await send(server, 'GET', '/api/auth/sessions', { headers: credentialOf(tokens) })
  assert.equal(answer.status, 200)
  const sessions: Session[] = JSON.parse(answer.text)
  return sessions
}

function end(tokens: Tokens, sessionId: string) {
  return send(server, 'DELETE', `/api/auth/sessions/${sessionId}`, { headers: credentialOf(tokens) })
}

async function currentId(tokens: Tokens): Promise<string> {
  const session = (await listSessions(tokens)).find(({ current }) => current)
  return session?.id ?? assert.fail('no session is the current one')
}

test('AUTH-15: logout ends the session at once, clears the cookie, and keeps the other sessions', async () => {
  const [here, elsewhere] = [await signIn(server, 'ann'), await logIn(server, 'ann')]
  assert.equal(await statusOf(server, here), 200)
  const sessionId = await currentId(here)
  const ends = recordSessionEnds(server)
  const answer = await send(server, 'POST', '/api/auth/logout', { headers: credentialOf(here) })
  assert.equal(answer.status, 204)
  assert.equal(answer.text, '')
  assert.match(answer.headers.get('set-cookie') ?? '', /^service_session_token=; .*Max-Age=0/)
  assert.deepEqual(ends, [topicOf.account(here.user.id), topicOf.session(sessionId)])
  assert.equal(await statusOf(server, here), 401)
  assert.equal(await statusOf(server, elsewhere), 200)
})

test('AUTH-15: a logout without a credential, or with half of one, is 401', async () => {
  const tokens = await signIn(server, 'anna')
  const { authorization } = credentialOf(tokens)
  for (const headers of [{}, { authorization }, { 'x-session-token': tokens.session_token }]) {
    assert.equal((await send(server, 'POST', '/api/auth/logout', { headers })).status, 401)
  }
  assert.equal(await statusOf(server, tokens), 200)
})

test('AUTH-16: users see their own sessions, with the device, and which one is the current', async () => {
  const first = await signIn(server, 'bea')
  await signIn(server, 'bert')
  const request = {
    headers: { 'user-agent': `Browser ${'x'.repeat(300)}` },
    body: { email: 'bea', password: TEST_PASSWORD },
  }
  const second = loginResult(await send(server, 'POST', '/api/auth/login', request))
  const sessions = await listSessions(second)
  assert.equal(sessions.length, 2)
  const [current, other] = sessions
  assert.equal(current?.current, true)
  assert.equal(other?.current, false)
  assert.match(current?.device ?? '', /^Browser x{248}$/)
  assert.match(current?.address ?? '', /127\.0\.0\.1$/)
  assert.equal(current?.expires_at, second.session_expires_at)
  const seenByFirst = (await listSessions(first)).filter((session) => session.current)
  assert.deepEqual(
    seenByFirst.map(({ id }) => id),
    [other?.id],
  )
})

test('AUTH-16: an IPv4 address is shown as such by a server that listens on all addresses', async (t) => {
  const everywhere = await startTestServer({ host: '::' })
  t.after(() => everywhere.close())
  const { port } = new URL(everywhere.url)
  const byAddress = testServerOf({ ...everywhere, url: `http://127.0.0.1:${port}` }, everywhere.dataDir)
  const client = await byAddress.signUp('ada')
  // The use of a session is written a moment after it.
  for (const pauseMs of [0, 50, 100, 200]) {
    await delay(pauseMs)
    const [session] = await client.auth.listSessions()
    assert.equal(session?.address, '127.0.0.1')
  }
})

test('AUTH-17: users end their sessions one by one, including the current one', async () => {
  const [here, elsewhere] = [await signIn(server, 'cleo'), await logIn(server, 'cleo')]
  const elsewhereId = await currentId(elsewhere)
  const ends = recordSessionEnds(server)
  assert.equal((await end(here, elsewhereId)).status, 204)
  assert.deepEqual(ends, [topicOf.account(here.user.id), topicOf.session(elsewhereId)])
  assert.equal(await statusOf(server, elsewhere), 401)
  assert.equal((await end(here, elsewhereId)).status, 404)
  assert.equal((await end(here, await currentId(here))).status, 204)
  assert.equal(await statusOf(server, here), 401)
})

test('AUTH-17: another user’s session is 404 and continues, and an invalid id is 400', async () => {
  const [own, other] = [await signIn(server, 'dora'), await signIn(server, 'dirk')]
  const otherId = await currentId(other)
  const answer = await end(own, otherId)
  assert.equal(answer.status, 404)
  assert.deepEqual(answer.body, { error: 'session not found' })
  assert.equal(await statusOf(server, other), 200)
  assert.equal((await end(own, newId())).status, 404)
  assert.equal((await end(own, 'mine')).status, 400)
})

test('AUTH-12: a reused refresh token is announced as the end of the session', async () => {
  const old = await signIn(server, 'emma')
  const sessionId = await currentId(old)
  const body = { refresh_token: old.refresh_token, session_token: old.session_token }
  await send(server, 'POST', '/api/auth/refresh', { body })
  const ends = recordSessionEnds(server)
  await send(server, 'POST', '/api/auth/refresh', { body })
  assert.deepEqual(ends, [topicOf.account(old.user.id), topicOf.session(sessionId)])
})

test('AUTH-15: the end of another session does not hinder a new login', async () => {
  const tokens = await signIn(server, 'fay')
  await send(server, 'POST', '/api/auth/logout', { headers: credentialOf(tokens) })
  const again = loginResult(await tryLogin(server, 'fay'))
  assert.equal(await statusOf(server, again), 200)
  assert.equal((await listSessions(again)).length, 1)
})
