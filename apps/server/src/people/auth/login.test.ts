import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PASSWORD_COST } from '#src/kernel/secrets/passwords.ts'
import { emailOf, loginResult, send, signIn, statusOf, tryLogin } from '#test/scenes/accounts.ts'
import { startOwnServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

const QUARTER_MS = 15 * 60 * 1000

let server: TestServer
/** Hashes passwords at the usual cost, for tests about what happens meanwhile. */
let slow: TestServer

before(async () => {
  server = await startOwnServer()
  slow = await startOwnServer({}, { passwordCost: PASSWORD_COST })
})
after(async () => {
  await server.close()
  await slow.close()
})

async function fail(email: string, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    assert.equal((await tryLogin(server, email, 'wrong password')).status, 401, `failure ${count + 1}`)
  }
}

test('AUTH-6: login takes the address or the username, ignoring case, and ignores a code', async () => {
  await signIn(server, 'ann')
  for (const login of [emailOf('ann'), 'ANN@EXAMPLE.ORG', 'ann', 'Ann', ' ann ']) {
    const result = loginResult(await tryLogin(server, login))
    assert.equal(result.user.username, 'ann')
    assert.equal(await statusOf(server, result), 200)
  }
  const body = { email: 'ann', password: TEST_PASSWORD, code: '123456' }
  assert.equal((await send(server, 'POST', '/api/auth/login', { body })).status, 200)
})

test('AUTH-7: a wrong address and a wrong password get the same answer', async () => {
  await signIn(server, 'bea')
  const known = await tryLogin(server, emailOf('bea'), 'wrong password')
  const unknown = await tryLogin(server, emailOf('nobody'), 'wrong password')
  assert.equal(known.status, 401)
  assert.deepEqual(known.body, { error: 'email or password is wrong' })
  assert.deepEqual([unknown.status, unknown.text, unknown.code], [known.status, known.text, known.code])
})

test('AUTH-7: a login to an unknown address waits its turn to hash a password, like any other', async () => {
  let hashed = 0
  const hashes = Array.from({ length: 12 }, async () => {
    await slow.deps.passwords.hash(TEST_PASSWORD, emailOf('a sender'))
    hashed += 1
  })
  assert.equal((await tryLogin(slow, emailOf('nobody2'), 'wrong password')).status, 401)
  assert.ok(hashed >= 10, `the answer came after ${hashed} of 12 hashes that were asked for before`)
  await Promise.all(hashes)
})

test('AUTH-8: after ten failures the right password is refused, too, without Retry-After', async () => {
  await signIn(server, 'cleo')
  await signIn(server, 'clea')
  await fail(emailOf('cleo'), 10)
  const answer = await tryLogin(server, emailOf('cleo'))
  assert.equal(answer.status, 429)
  assert.deepEqual(answer.body, { error: 'too many failed login attempts, try again later' })
  assert.equal(answer.headers.get('retry-after'), null)
  assert.equal((await tryLogin(server, emailOf('clea'))).status, 200)
})

test('AUTH-8: a success after nine failures clears the count', async () => {
  await signIn(server, 'dora')
  await fail(emailOf('dora'), 9)
  assert.equal((await tryLogin(server, emailOf('dora'))).status, 200)
  await fail(emailOf('dora'), 10)
  assert.equal((await tryLogin(server, emailOf('dora'))).status, 429)
})

test('AUTH-8: simultaneous attempts do not exceed the limit together', async () => {
  await signIn(slow, 'emma')
  const attempts = Array.from({ length: 25 }, () => tryLogin(slow, emailOf('emma'), 'wrong password'))
  const statuses = (await Promise.all(attempts)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 401).length, 10)
  assert.equal(statuses.filter((status) => status === 429).length, 15)
})

test('AUTH-8: failures by username do not reveal whose address it is', async () => {
  await signIn(server, 'fay')
  await signIn(server, 'fee')
  await fail('fay', 10)
  assert.equal((await tryLogin(server, 'Fay')).status, 429)
  const answers = [emailOf('fay'), emailOf('fee'), emailOf('ghost2')].map((email) =>
    tryLogin(server, email, 'wrong password'),
  )
  assert.deepEqual(
    (await Promise.all(answers)).map(({ status }) => status),
    [401, 401, 401],
  )
})

test('AUTH-8: a success clears the counts of the username and of the address, ignoring case', async () => {
  await signIn(server, 'flo')
  await fail('flo', 9)
  await fail('FLO@example.org', 9)
  assert.equal((await tryLogin(server, 'Flo')).status, 200)
  await fail('flo', 10)
  await fail(emailOf('flo'), 10)
})

test('AUTH-8: addresses without an account have the same limit', async () => {
  await fail('ghost@example.org', 10)
  assert.equal((await tryLogin(server, 'Ghost@example.org')).status, 429)
})

test('AUTH-8: login works again fifteen minutes after the first failure, and not before', async (t) => {
  await signIn(server, 'hana')
  const start = Date.now()
  t.mock.timers.enable({ apis: ['Date'], now: start })
  await fail(emailOf('hana'), 9)
  t.mock.timers.setTime(start + QUARTER_MS - 1)
  await fail(emailOf('hana'), 1)
  assert.equal((await tryLogin(server, emailOf('hana'))).status, 429)
  t.mock.timers.setTime(start + QUARTER_MS)
  assert.equal((await tryLogin(server, emailOf('hana'))).status, 200)
})

const refused: Record<string, unknown> = {
  'without a password': { email: 'ann' },
  'without an address': { password: TEST_PASSWORD },
  'with a list as password': { email: 'ann', password: [TEST_PASSWORD] },
  'with null as address': { email: null, password: TEST_PASSWORD },
  'with an object as address': { email: { $ne: '' }, password: TEST_PASSWORD },
  'that is a list': [],
  'that is a text': 'ann',
}

for (const [name, body] of Object.entries(refused)) {
  test(`AUTH-6: a login ${name} is 400`, async () => {
    const answer = await send(server, 'POST', '/api/auth/login', { body })
    assert.equal(answer.status, 400)
    assert.equal(answer.code, 'invalid_request')
  })
}

test('AUTH-6: a password with NUL is 400, and quotes have no special meaning', async () => {
  assert.equal((await tryLogin(server, 'ann', 'a\0b')).status, 400)
  assert.equal((await tryLogin(server, "' or true --", "' or true --")).status, 401)
})
