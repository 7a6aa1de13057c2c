import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LoginResult } from '@foyer/protocol/auth'
import { awaitJobs, awaitMail, listMails, tokenIn } from '#test/outside/mailbox.ts'
import { credentialOf, emailOf, send, signIn, statusOf, tryLogin } from '#test/scenes/accounts.ts'
import { startOwnServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

let server: TestServer

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())

function ask(tokens: LoginResult, email: string, password = TEST_PASSWORD) {
  const request = { headers: credentialOf(tokens), body: { email, password } }
  return send(server, 'POST', '/api/auth/change-email/send', request)
}

function change(token: string) {
  return send(server, 'POST', '/api/auth/change-email', { body: { token } })
}

async function mailedToken(email: string): Promise<string> {
  return tokenIn(await awaitMail(server, email, { subject: 'Confirm' }))
}

test('AUTH-23: the link mailed to the new address changes it, notifies the old one, and keeps the session', async () => {
  const tokens = await signIn(server, 'ann')
  assert.equal((await ask(tokens, 'ann@new.example')).status, 204)
  const token = await mailedToken('ann@new.example')
  assert.equal((await tryLogin(server, 'ann@new.example')).status, 401)
  assert.equal((await change(token)).status, 204)
  assert.equal((await tryLogin(server, 'ann@new.example')).status, 200)
  assert.equal((await tryLogin(server, emailOf('ann'))).status, 401)
  const notice = await awaitMail(server, emailOf('ann'), { subject: 'Your email address was changed' })
  assert.ok(!notice.includes('ann@new.example'))
  assert.equal(await statusOf(server, tokens), 200)
  const { body } = await send(server, 'GET', '/api/users/@me', { headers: credentialOf(tokens) })
  assert.deepEqual(body, { ...tokens.user, email_verified: true, updated_at: updatedAt(body) })
  assert.equal((await change(token)).status, 400)
})

function updatedAt(body: unknown): unknown {
  const user: Record<string, unknown> = Object(body)
  return user.updated_at
}

test('AUTH-22: a wrong password sends nothing', async () => {
  const tokens = await signIn(server, 'bea')
  const answer = await ask(tokens, 'bea@new.example', 'wrong password')
  assert.equal(answer.status, 400)
  assert.deepEqual(answer.body, { error: 'password is wrong' })
  await awaitJobs(server)
  assert.deepEqual(await listMails(server, 'bea@new.example'), [])
})

test('AUTH-22: an address of another account is refused, and the user’s own in other letter case is not', async () => {
  const tokens = await signIn(server, 'cleo')
  await signIn(server, 'carl')
  const answer = await ask(tokens, 'CARL@example.org')
  assert.equal(answer.status, 400)
  assert.deepEqual(answer.body, { error: 'email is taken' })
  assert.equal((await ask(tokens, 'Cleo@Example.org')).status, 204)
})

test('AUTH-23: an address taken between the mail and its confirmation is refused', async () => {
  const tokens = await signIn(server, 'dora')
  await ask(tokens, emailOf('dirk'))
  const token = await mailedToken(emailOf('dirk'))
  await signIn(server, 'dirk')
  const answer = await change(token)
  assert.equal(answer.status, 400)
  assert.equal(answer.code, 'email_taken')
  assert.equal((await tryLogin(server, emailOf('dora'))).status, 200)
})

test('AUTH-23: one of two users who confirm the same address at once gets it', async () => {
  const [first, second] = [await signIn(server, 'emma'), await signIn(server, 'emil')]
  await ask(first, 'em@new.example')
  const firstToken = await mailedToken('em@new.example')
  await ask(second, 'em@new.example')
  const mail = await awaitMail(server, 'em@new.example', { subject: 'Confirm', count: 2 })
  const answers = await Promise.all([change(firstToken), change(tokenIn(mail))])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 400])
  assert.deepEqual(
    answers.map(({ code }) => code).filter((code) => code !== null),
    ['email_taken'],
  )
})

test('AUTH-18: changing the address invalidates a reset link sent to the old one', async () => {
  const tokens = await signIn(server, 'fay')
  await send(server, 'POST', '/api/auth/forgot-password', { body: { email: emailOf('fay') } })
  const resetToken = tokenIn(await awaitMail(server, emailOf('fay'), { subject: 'Set a new' }))
  await ask(tokens, 'fay@new.example')
  assert.equal((await change(await mailedToken('fay@new.example'))).status, 204)
  const body = { token: resetToken, password: 'a wholly new password' }
  assert.equal((await send(server, 'POST', '/api/auth/reset-password', { body })).status, 400)
})

test('AUTH-22: an invalid address is 400', async () => {
  const tokens = await signIn(server, 'gina')
  for (const email of ['gina', 'a@example.org, b@example.org', 'a@example.org\nBcc: b@example.org']) {
    const answer = await ask(tokens, email)
    assert.equal(answer.status, 400)
    assert.match(answer.text, /email/)
  }
})

test('USER-8: ten wrong passwords within 15 minutes stop further guesses, but not logins', async () => {
  const tokens = await signIn(server, 'hana')
  for (let count = 0; count < 10; count += 1) {
    assert.equal((await ask(tokens, 'hana@new.example', 'wrong password')).status, 400)
  }
  assert.equal((await ask(tokens, 'hana@new.example')).status, 429)
  assert.equal((await tryLogin(server, 'hana')).status, 200)
})
