import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PASSWORD_COST } from '#src/kernel/secrets/passwords.ts'
import { credentialOf, emailOf, loginResult, send } from '#test/scenes/accounts.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

let server: TestServer

before(async () => {
  server = await startTestServer({ rateLimits: true, trustedProxies: ['127.0.0.1', '::1'] })
})
after(() => server.close())

let addresses = 0

/** Returns an address that has sent no request yet. */
function newAddress(): string {
  addresses += 1
  return `192.0.2.${addresses}`
}

/** Sends requests from one address. Returns their statuses. */
async function statuses(path: string, times: number, address = newAddress()): Promise<number[]> {
  const request = { body: {}, headers: { 'x-forwarded-for': address } }
  const answers: number[] = []
  for (let count = 0; count < times; count += 1) {
    answers.push((await send(server, 'POST', path, request)).status)
  }
  return answers
}

const perAddress = {
  '/api/auth/login': { limit: 16, windowSeconds: 60 },
  '/api/auth/reset-password': { limit: 16, windowSeconds: 60 },
  '/api/auth/forgot-password': { limit: 16, windowSeconds: 60 },
  '/api/auth/change-email': { limit: 16, windowSeconds: 60 },
  '/api/auth/signin': { limit: 16, windowSeconds: 3600 },
  '/api/auth/verify': { limit: 16, windowSeconds: 3600 },
  '/api/auth/refresh': { limit: 32, windowSeconds: 60 },
}

for (const [path, { limit, windowSeconds }] of Object.entries(perAddress)) {
  test(`AUTH-27: ${path} accepts ${limit} requests in ${windowSeconds} s from an address`, async () => {
    const address = newAddress()
    assert.deepEqual(await statuses(path, limit, address), Array(limit).fill(400))
    const headers = { 'x-forwarded-for': address }
    const refused = await send(server, 'POST', path, { body: {}, headers })
    assert.equal(refused.status, 429)
    assert.deepEqual(refused.body, { error: 'too many requests, try again later' })
    const retryAfter = Number(refused.headers.get('retry-after'))
    assert.ok(retryAfter > windowSeconds - 30 && retryAfter <= windowSeconds, `retry after ${retryAfter}`)
    assert.equal(refused.headers.get('x-ratelimit-limit'), `${limit}`)
    assert.deepEqual(await statuses(path, 1), [400])
  })
}

/** Creates an account. Returns its headers. */
async function newAccount(username: string): Promise<Record<string, string>> {
  const body = { username, email: emailOf(username), password: TEST_PASSWORD }
  const headers = { 'x-forwarded-for': newAddress() }
  return credentialOf(loginResult(await send(server, 'POST', '/api/auth/signin', { body, headers })))
}

const perAccount = ['verify', 'reset-password', 'change-email']

for (const purpose of perAccount) {
  test(`AUTH-27: ${purpose}/send accepts 3 requests an hour from an account, and 16 from an address`, async () => {
    const address = { 'x-forwarded-for': newAddress() }
    const path = `/api/auth/${purpose}/send`
    const ask = (headers: Record<string, string>) =>
      send(server, 'POST', path, { body: {}, headers: { ...headers, ...address } })
    for (let count = 0; count < 5; count += 1) {
      const account = await newAccount(`${purpose.replace('-', '_')}${count}`)
      for (const taken of [true, true, true, false]) assert.equal((await ask(account)).status !== 429, taken)
    }
    const account = await newAccount(`${purpose.replace('-', '_')}5`)
    const [sixteenth, seventeenth] = [await ask(account), await ask(account)]
    assert.notEqual(sixteenth.status, 429)
    assert.equal(seventeenth.status, 429)
    assert.equal(seventeenth.headers.get('x-ratelimit-limit'), '16')
  })
}

test('AUTH-27: logout counts for the address, too', async () => {
  const account = await newAccount('leaver')
  const answer = await send(server, 'POST', '/api/auth/logout', { headers: account })
  assert.equal(answer.status, 204)
  assert.equal(answer.headers.get('x-ratelimit-limit'), '32')
  assert.equal(answer.headers.get('x-ratelimit-remaining'), '31')
})

test('AUTH-33: simultaneous logins from one address are refused past its share, and others are not', async () => {
  const proxies = { trustedProxies: ['127.0.0.1', '::1'] }
  const open = await startTestServer(proxies, { passwordCost: PASSWORD_COST })
  const logIn = async (address: string, email: string) => {
    const body = { email, password: TEST_PASSWORD }
    return (await send(open, 'POST', '/api/auth/login', { body, headers: { 'x-forwarded-for': address } }))
      .status
  }
  const flood = Array.from({ length: 120 }, (_, index) =>
    logIn(`2001:db8::${index.toString(16)}`, `nobody${index}`),
  )
  const others = [logIn('2001:db8:1::1', 'nobody'), logIn('192.0.2.250', 'nobody')]
  const [answers, ofOthers] = [await Promise.all(flood), await Promise.all(others)]
  await open.close()
  assert.ok(answers.includes(401) && answers.includes(503), `${answers}`)
  assert.deepEqual(ofOthers, [401, 401])
})
