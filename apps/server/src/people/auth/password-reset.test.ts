import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { awaitJobs, awaitMail, listMails, tokenIn } from '#test/outside/mailbox.ts'
import { credentialOf, emailOf, logIn, send, signIn, statusOf, tryLogin } from '#test/scenes/accounts.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { recordSessionEnds } from '#test/session-ends.ts'

const NEW_PASSWORD = 'a wholly new password'
const HOUR_MS = 60 * 60 * 1000

let server: TestServer

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())

interface ResetOptions {
  password?: string
  headers?: Record<string, string>
}

function reset(token: string, { password = NEW_PASSWORD, headers = {} }: ResetOptions = {}) {
  return send(server, 'POST', '/api/auth/reset-password', { body: { token, password }, headers })
}

function forget(email: string) {
  return send(server, 'POST', '/api/auth/forgot-password', { body: { email } })
}

async function forgottenToken(username: string, count = 1): Promise<string> {
  assert.equal((await forget(emailOf(username))).status, 204)
  return mailedToken(username, count)
}

async function mailedToken(username: string, count = 1): Promise<string> {
  return tokenIn(await awaitMail(server, emailOf(username), { subject: 'Set a new', count }))
}

test('AUTH-21: the mailed link sets a new password and ends every session', async () => {
  const [first, second] = [await signIn(server, 'ann'), await logIn(server, 'ann')]
  const token = await forgottenToken('ann')
  const ends = recordSessionEnds(server)
  const answer = await reset(token)
  assert.equal(answer.status, 204)
  assert.equal(ends.length, 3)
  assert.deepEqual(ends[0], topicOf.account(first.user.id))
  assert.equal(await statusOf(server, first), 401)
  assert.equal(await statusOf(server, second), 401)
  assert.equal((await tryLogin(server, 'ann')).status, 401)
  assert.equal((await tryLogin(server, 'ann', NEW_PASSWORD)).status, 200)
  assert.equal((await reset(token)).status, 400)
})

test('AUTH-21: a signed-in user keeps the session that set the new password, and no other', async () => {
  const [here, elsewhere] = [await signIn(server, 'bea'), await logIn(server, 'bea')]
  const asked = await send(server, 'POST', '/api/auth/reset-password/send', { headers: credentialOf(here) })
  assert.equal(asked.status, 204)
  const answer = await reset(await mailedToken('bea'), { headers: credentialOf(here) })
  assert.equal(answer.status, 204)
  assert.equal(await statusOf(server, here), 200)
  assert.equal(await statusOf(server, elsewhere), 401)
})

test('AUTH-21: another user’s credential keeps no session', async () => {
  const [own, other] = [await signIn(server, 'cleo'), await signIn(server, 'carl')]
  const answer = await reset(await forgottenToken('cleo'), { headers: credentialOf(other) })
  assert.equal(answer.status, 204)
  assert.equal(await statusOf(server, own), 401)
  assert.equal(await statusOf(server, other), 200)
})

test('AUTH-21: a simultaneous login with the old password opens no session', async () => {
  const { user } = await signIn(server, 'dora')
  const lock = await holdLock(
    server,
    sql`update users set password_hash = 'another hash' where id = ${user.id}`,
  )
  const login = tryLogin(server, 'dora')
  await lock.waitForBlocked(1)
  await lock.release()
  assert.equal((await login).status, 401)
})

test('AUTH-18: a reset token works for an hour, with a valid password', async () => {
  const { user } = await signIn(server, 'emma')
  const token = await forgottenToken('emma')
  const rows = await server.deps.database.query<{ minutes: number }>(sql`
    select round(extract(epoch from expires_at - now()) / 60)::integer as minutes from mail_tokens
    where user_id = ${user.id} and purpose = 'reset-password'`)
  assert.deepEqual(rows, [{ minutes: 60 }])
  const short = await reset(token, { password: 'short' })
  assert.equal(short.status, 400)
  assert.match(short.text, /password/)
  await server.deps.database.execute(
    sql`update mail_tokens set expires_at = now() where user_id = ${user.id}`,
  )
  assert.equal((await reset(token)).status, 400)
  assert.equal((await tryLogin(server, 'emma')).status, 200)
})

test('AUTH-18: a new password invalidates the account’s other mail tokens', async () => {
  await signIn(server, 'fay')
  const verification = tokenIn(await awaitMail(server, emailOf('fay'), { subject: 'Verify' }))
  assert.equal((await reset(await forgottenToken('fay'))).status, 204)
  const answer = await send(server, 'POST', '/api/auth/verify', { body: { token: verification } })
  assert.equal(answer.status, 400)
})

test('AUTH-30: an invalid token is refused before the new password is hashed', async () => {
  const { passwords } = server.deps
  let isAnswered = false
  // Each sender repeats its request at once, so the password queue stays full however long answers take.
  const senders = Array.from({ length: 202 }, async (_, index) => {
    while (!isAnswered) await passwords.hash(NEW_PASSWORD, `sender ${index}`)
  })
  const body = { token: 'made up', password: NEW_PASSWORD }
  const refused = await send(server, 'POST', '/api/auth/reset-password', { body })
  await assert.rejects(passwords.hash(NEW_PASSWORD, 'one more'), 'the queue of passwords is full')
  isAnswered = true
  await Promise.all(senders)
  assert.deepEqual([refused.status, refused.code], [400, 'invalid_token'])
})

test('AUTH-20: an address without an account gets the same answer and no mail', async () => {
  await signIn(server, 'gina')
  const [known, unknown] = [await forget('GINA@example.org'), await forget('nobody@example.org')]
  assert.deepEqual([unknown.status, unknown.text], [known.status, known.text])
  assert.equal(unknown.status, 204)
  await mailedToken('gina')
  await awaitJobs(server)
  assert.deepEqual(await listMails(server, 'nobody@example.org'), [])
})

test('AUTH-20: three mails an hour are sent to an address; further requests get the same answer', async (t) => {
  await signIn(server, 'hana')
  await awaitJobs(server)
  const start = Date.now()
  const answers = await Promise.all(Array.from({ length: 6 }, () => forget(emailOf('hana'))))
  assert.ok(answers.every(({ status }) => status === 204))
  await awaitJobs(server)
  assert.equal((await listMails(server, emailOf('hana'))).length, 1 + 3)
  t.mock.timers.enable({ apis: ['Date'], now: start + HOUR_MS + 10_000 })
  await forget(emailOf('hana'))
  await mailedToken('hana', 4)
})

for (const email of ['nobody', '', null, 7, undefined]) {
  test(`AUTH-20: forgot-password with ${JSON.stringify(email)} is 400`, async () => {
    const answer = await send(server, 'POST', '/api/auth/forgot-password', { body: { email } })
    assert.equal(answer.status, 400)
    assert.match(answer.text, /email/)
  })
}
