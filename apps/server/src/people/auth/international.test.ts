import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { awaitMail, tokenIn } from '#test/outside/mailbox.ts'
import { credentialOf, loginResult, send, tryLogin } from '#test/scenes/accounts.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.close())

function trySignin(username: string, email: string) {
  return send(server, 'POST', '/api/auth/signin', { body: { username, email, password: TEST_PASSWORD } })
}

test('AUTH-41: an address in another script signs up, receives its mail and logs in', async () => {
  const email = 'jürgen@bücher.example'
  const tokens = loginResult(await trySignin('juergen', email))
  const mail = await awaitMail(server, email, { subject: 'Verify' })
  const verified = await send(server, 'POST', '/api/auth/verify', { body: { token: tokenIn(mail) } })
  assert.equal(verified.status, 204)
  assert.equal((await tryLogin(server, email)).status, 200)
  const address = await send(server, 'GET', '/api/auth/address', { headers: credentialOf(tokens) })
  assert.deepEqual(address.body, { masked: 'j•••n@bücher.example' })
})

test('AUTH-41: different spellings of an address are the same address', async () => {
  assert.equal((await trySignin('zoe', 'zoe\u0308@müller.example')).status, 200)
  for (const spelling of [
    'zoë@xn--mller-kva.example',
    'zoë@MÜLLER.example',
    'zoe\u0308@mu\u0308ller.example',
  ]) {
    assert.equal((await trySignin('zoe.two', spelling)).code, 'email_taken')
    assert.equal((await tryLogin(server, spelling)).status, 200)
  }
  assert.equal((await trySignin('zoe.two', 'zoe@müller.example')).status, 200)
})

test('AUTH-41: an address that no mail could reach is 400', async () => {
  const bad = ['a b@example.org', 'jü rgen@example.org', 'ü@', '@ü.example', 'ü@example', 'ü@-.example']
  const worse = [
    'a@b@ü.example',
    'ü\u202e@example.org',
    'ü..ü@example.org',
    'a@ü_.example',
    'a@ü .example',
    '<ü>@a.example',
  ]
  for (const email of [...bad, ...worse])
    assert.equal((await trySignin('bad', email)).status, 400, JSON.stringify(email))
})
