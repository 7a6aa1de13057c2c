import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LoginResult } from '@foyer/protocol/auth'
import { CloseCode } from '@foyer/protocol/gateway'
import { identify } from '#test/gateway-client.ts'
import { awaitMail, tokenIn } from '#test/outside/mailbox.ts'
import { credentialOf, emailOf, logIn, send, signIn, statusOf, tryLogin } from '#test/scenes/accounts.ts'
import { startOwnServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

const NEW_PASSWORD = 'a wholly new password'

let server: TestServer

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())

function change(tokens: LoginResult, body: Record<string, unknown> = {}) {
  return send(server, 'PATCH', '/api/users/@me/password', {
    body: { password: TEST_PASSWORD, new_password: NEW_PASSWORD, ...body },
    headers: credentialOf(tokens),
  })
}

function connect({ access_token: token, session_token }: LoginResult) {
  return identify(server, { token, session_token })
}

test('AUTH-31: the old password sets a new one, and ends the other sessions', async () => {
  const [here, elsewhere] = [await signIn(server, 'ann'), await logIn(server, 'ann')]
  const [stays, goes] = [await connect(here), await connect(elsewhere)]
  assert.equal((await change(here)).status, 204)
  assert.equal(await goes.closed, CloseCode.SessionEnded)
  assert.equal(await statusOf(server, elsewhere), 401)
  assert.equal(await statusOf(server, here), 200)
  await stays.settle()
  stays.close()
  assert.equal((await tryLogin(server, 'ann')).status, 401)
  assert.equal((await tryLogin(server, 'ann', NEW_PASSWORD)).status, 200)
})

test('AUTH-31: a wrong old password or an invalid new one changes nothing', async () => {
  const [here, elsewhere] = [await signIn(server, 'bea'), await logIn(server, 'bea')]
  const refused: [Record<string, unknown>, string][] = [
    [{ password: 'another password' }, 'wrong_password'],
    [{ password: '' }, 'wrong_password'],
    [{ new_password: 'short' }, 'invalid_request'],
    [{ new_password: 'x'.repeat(257) }, 'invalid_request'],
    [{ new_password: null }, 'invalid_request'],
    [{ password: undefined }, 'invalid_request'],
    [{ password: 12345678 }, 'invalid_request'],
  ]
  for (const [body, code] of refused) {
    const answer = await change(here, body)
    assert.deepEqual([answer.status, answer.code], [400, code], JSON.stringify(body))
  }
  const nobody = { body: { password: TEST_PASSWORD, new_password: NEW_PASSWORD } }
  assert.equal((await send(server, 'PATCH', '/api/users/@me/password', nobody)).status, 401)
  assert.equal(await statusOf(server, elsewhere), 200)
  assert.equal((await tryLogin(server, 'bea')).status, 200)
})

test('AUTH-31: after ten wrong passwords the right one is refused, too', async () => {
  const here = await signIn(server, 'cleo')
  for (let count = 0; count < 10; count += 1)
    assert.equal((await change(here, { password: 'another password' })).status, 400)
  assert.equal((await change(here)).status, 429)
  assert.equal((await tryLogin(server, 'cleo', NEW_PASSWORD)).status, 401)
})

test('AUTH-31: links mailed earlier stop working', async () => {
  const here = await signIn(server, 'dora')
  await send(server, 'POST', '/api/auth/forgot-password', { body: { email: emailOf('dora') } })
  const token = tokenIn(await awaitMail(server, emailOf('dora'), { subject: 'Set a new', count: 1 }))
  assert.equal((await change(here)).status, 204)
  const body = { token, password: 'a third password' }
  assert.equal((await send(server, 'POST', '/api/auth/reset-password', { body })).status, 400)
})

test('AUTH-31: one of several simultaneous changes succeeds', async () => {
  const here = await signIn(server, 'eva')
  const given = ['first new password', 'second new password', 'third new password']
  const answers = await Promise.all(given.map((new_password) => change(here, { new_password })))
  const won = given.filter((_, index) => answers[index]?.status === 204)
  assert.equal(won.length, 1)
  const logins = await Promise.all(given.map((password) => tryLogin(server, 'eva', password)))
  assert.deepEqual(
    given.filter((_, index) => logins[index]?.status === 200),
    won,
  )
})

test('AUTH-32: owners see their address with most of its letters masked', async () => {
  const here = await signIn(server, 'fred')
  const answer = await send(server, 'GET', '/api/auth/address', { headers: credentialOf(here) })
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { masked: 'f•••d@example.org' })
  assert.equal((await send(server, 'GET', '/api/auth/address')).status, 401)
})
