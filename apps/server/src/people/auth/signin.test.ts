import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { UserFlag } from '@foyer/protocol/user-flags'
import { PASSWORD_COST } from '#src/kernel/secrets/passwords.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { awaitMail, tokenIn } from '#test/outside/mailbox.ts'
import { credentialOf, emailOf, loginResult, send, signIn, tryLogin } from '#test/scenes/accounts.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

let server: TestServer

before(async () => {
  // Some tests are about what happens while passwords are hashed.
  server = await startTestServer({}, { passwordCost: PASSWORD_COST })
})
after(() => server.close())

function trySignin(fields: Record<string, unknown>) {
  const { username = 'somebody' } = fields
  const body = { username, email: emailOf(String(username)), password: TEST_PASSWORD, ...fields }
  return send(server, 'POST', '/api/auth/signin', { body })
}

test('AUTH-2: the first account is the operator, one of two simultaneous ones, and no later one', async () => {
  // Sessions are opened after the account, so both signins stop in the middle.
  const lock = await holdLock(server, sql`lock table sessions in share mode`)
  const signins = Promise.all([trySignin({ username: 'first' }), trySignin({ username: 'second' })])
  await lock.waitForBlocked(2)
  await lock.release()
  const flags = (await signins).map((answer) => loginResult(answer).user.flags)
  assert.deepEqual(flags.sort(), [0, UserFlag.Staff])
  assert.equal(loginResult(await trySignin({ username: 'third' })).user.flags, 0)
})

test('AUTH-1: signin creates an account and answers with its tokens and the private fields', async () => {
  const answer = await trySignin({ username: 'ann', alias: ' Ann ', birthdate: '2000-02-29' })
  const { user, ...tokens } = loginResult(answer)
  assert.equal(user.username, 'ann')
  assert.equal(user.alias, 'Ann')
  assert.equal(user.birthdate, '2000-02-29')
  assert.equal(user.email_verified, false)
  assert.equal(user.is_bot, false)
  const hours = (Date.parse(tokens.expires_at) - Date.now()) / 3_600_000
  const days = (Date.parse(tokens.session_expires_at) - Date.now()) / 86_400_000
  assert.ok(hours > 23.9 && hours <= 24, `access token for ${hours} hours`)
  assert.ok(days > 29.9 && days < 30.1, `session for ${days} days`)
  const me = await send(server, 'GET', '/api/users/@me', { headers: credentialOf(tokens) })
  assert.deepEqual(me.body, user)
})

test('AUTH-1: signin mails a link that verifies the address', async () => {
  await signIn(server, 'bea')
  const mail = await awaitMail(server, emailOf('bea'), { subject: 'Verify' })
  assert.match(mail, new RegExp(`^${server.url}/verify\\?token=[\\w-]{43}$`, 'm'))
  const answer = await send(server, 'POST', '/api/auth/verify', { body: { token: tokenIn(mail) } })
  assert.equal(answer.status, 204)
})

test('AUTH-3: a username or an address that is taken is refused, ignoring case', async () => {
  await trySignin({ username: 'cleo', email: 'Cleo@Example.org' })
  const name = await trySignin({ username: 'cleo', email: 'other@example.org' })
  assert.equal(name.status, 400)
  assert.deepEqual(name.body, { error: 'username is taken' })
  assert.equal(name.code, 'username_taken')
  const address = await trySignin({ username: 'other', email: 'cLEO@exAMPLE.org' })
  assert.equal(address.status, 400)
  assert.deepEqual(address.body, { error: 'email is taken' })
  assert.equal(address.code, 'email_taken')
})

test('AUTH-34: a username or an address that is taken is refused before the password is hashed', async () => {
  await signIn(server, 'cora')
  let hashed = 0
  const hashes = Array.from({ length: 40 }, async (_, index) => {
    await server.deps.passwords.hash(TEST_PASSWORD, `sender ${index}`)
    hashed += 1
  })
  const name = await trySignin({ username: 'cora', email: emailOf('another') })
  const address = await trySignin({ username: 'another', email: emailOf('CORA') })
  assert.ok(hashed < 30, `the answers came after ${hashed} of 40 hashes that were asked for before`)
  await Promise.all(hashes)
  assert.deepEqual([name.code, address.code], ['username_taken', 'email_taken'])
  assert.equal((await trySignin({ username: 'another' })).status, 200)
})

test('AUTH-3: one of several simultaneous signins with one address succeeds', async () => {
  const names = ['dora', 'dora2', 'dora3', 'dora4']
  const answers = await Promise.all(names.map((username) => trySignin({ username, email: emailOf('dora') })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
  const rows = await server.deps.database.query(
    sql`select id from users where email = ${emailOf('dora')} order by id`,
  )
  assert.equal(rows.length, 1)
})

test('AUTH-4: a birthdate is a real date, not in the future and not before 1900', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  for (const birthdate of [
    '2001-02-29',
    '2001-13-01',
    '01.02.2001',
    '2001-1-1',
    '',
    tomorrow,
    '1899-12-31',
  ]) {
    const answer = await trySignin({ username: 'emil', birthdate })
    assert.equal(answer.status, 400, birthdate)
    assert.match(answer.text, /birthdate/)
  }
  assert.equal((await trySignin({ username: 'emil', birthdate: '1900-01-01' })).status, 200)
})

const refused: Record<string, Record<string, unknown>> = {
  username: { username: 'Ann' },
  'username too short': { username: 'a' },
  'username too long': { username: 'a'.repeat(33) },
  'username of spaces': { username: '   ' },
  'username null': { username: null },
  email: { email: 'nobody' },
  'email of two': { email: 'a@example.org, b@example.org' },
  'email with a line break': { email: 'a@example.org\r\nBcc: b@example.org' },
  password: { password: 'seven77' },
  'password too long': { password: 'p'.repeat(257) },
  'password a number': { password: 12_345_678 },
  alias: { alias: 'a'.repeat(65) },
}

for (const [name, fields] of Object.entries(refused)) {
  test(`AUTH-1: signin refuses an invalid ${name}, and names the field`, async () => {
    const answer = await trySignin({ username: 'frida', ...fields })
    assert.equal(answer.status, 400)
    assert.match(answer.text, new RegExp(`"error":".*${name.split(' ')[0]}`))
  })
}

test('AUTH-1: a password is counted in code points, not trimmed, and may be composed or decomposed', async () => {
  const password = ' 🔑🔑🔑🔑🔑é '
  assert.equal((await trySignin({ username: 'gina', password })).status, 200)
  assert.equal((await tryLogin(server, 'gina', password.normalize('NFD'))).status, 200)
  assert.equal((await tryLogin(server, 'gina', password.trim())).status, 401)
})

test('AUTH-14: the session token is an HttpOnly cookie, which is enough with the access token', async () => {
  const answer = await trySignin({ username: 'hana' })
  const { session_token, access_token } = loginResult(answer)
  const cookie = answer.headers.get('set-cookie') ?? ''
  assert.match(cookie, /^service_session_token=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
  assert.ok(cookie.startsWith(`service_session_token=${session_token};`))
  const [pair = ''] = cookie.split(';')
  const authorization = `Bearer ${access_token}`
  const headers = { authorization, cookie: `theme=dark; ${pair}` }
  assert.equal((await send(server, 'GET', '/api/users/@me', { headers })).status, 200)
  const wrong = { ...headers, 'x-session-token': 'wrong' }
  assert.equal((await send(server, 'GET', '/api/users/@me', { headers: wrong })).status, 401)
})
