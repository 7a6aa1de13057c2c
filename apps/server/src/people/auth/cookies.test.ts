import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LoginAnswer } from '@foyer/protocol/auth'
import { sql } from '#src/kernel/sql/sql.ts'
import {
  accountOf,
  answerOf,
  arrive,
  type BrowserLogin,
  inCookies,
  loginIn,
  ownPage,
  refreshIn,
  sessionOf,
  statusIn,
} from '#test/browser-login.ts'
import { CookieJar } from '#test/cookie-jar.ts'
import { credentialOf, logIn, send, signIn, tryRefresh } from '#test/scenes/accounts.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

const PUBLIC_URL = 'https://chat.example.org'

let server: TestServer
let tlsServer: TestServer

before(async () => {
  server = await startTestServer()
  tlsServer = await startTestServer({ publicUrl: PUBLIC_URL })
})
after(() => Promise.all([server.close(), tlsServer.close()]))

for (const path of ['signin', 'login', 'refresh'] as const)
  test(`AUTH-36: ${path} stores the tokens in cookies on request, and answers with neither of them`, async () => {
    const browser = await arrive(server, `ann_${path}`)
    const answers = {
      signin: () => send(server, 'POST', '/api/auth/signin', { headers: ownPage, body: accountOf('anna') }),
      login: () =>
        send(server, 'POST', '/api/auth/login', {
          headers: ownPage,
          body: { email: 'ann_login', password: TEST_PASSWORD },
        }),
      refresh: () => refreshIn(server, browser),
    }
    const answer = await answers[path]()
    assert.equal(answer.status, 200, answer.text)
    const [session = '', refreshing = '', ...others] = answer.headers.getSetCookie()
    assert.match(
      session,
      /^service_session_token=session\.[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
    )
    assert.match(
      refreshing,
      /^service_refresh_token=refresh\.[^;]+; Path=\/api\/auth; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    )
    assert.deepEqual(others, [])
    assert.deepEqual(Object.keys(answerOf(answer)).sort(), [
      'access_token',
      'expires_at',
      'session_expires_at',
      'user',
    ])
    const taken = loginIn(answer)
    assert.equal(await statusIn(server, taken), 200)
    assert.equal((await refreshIn(server, taken)).status, 200)
  })

test('AUTH-36: the cookies are valid as long as the session', async () => {
  const { jar, tokens } = await arrive(server, 'bea')
  const left = (Date.parse(tokens.session_expires_at) - Date.now()) / 1000
  for (const { maxAge } of jar.cookies) assert.ok(Math.abs(left - maxAge) < 60, `${maxAge} of ${left}`)
  assert.equal(jar.cookies.length, 2)
})

test('AUTH-36: both cookies are Secure with an https PUBLIC_URL, but not for a page loaded over http', async () => {
  const logInFrom = async (origin: string) => {
    const body = accountOf(origin.startsWith('https') ? 'bert' : 'berta')
    const answer = await send(tlsServer, 'POST', '/api/auth/signin', {
      body,
      headers: { ...ownPage, origin },
    })
    return answer.headers.getSetCookie().map((cookie) => [cookie.split('=')[0], cookie.endsWith('; Secure')])
  }
  assert.deepEqual(await logInFrom(PUBLIC_URL), [
    ['service_session_token', true],
    ['__Secure-service_refresh_token', true],
  ])
  assert.deepEqual(await logInFrom('http://192.168.1.5:8080'), [
    ['service_session_token', false],
    ['service_refresh_token', false],
  ])
})

test('AUTH-36: the Secure cookie can be used to refresh', async () => {
  const jar = new CookieJar()
  const headers = { ...ownPage, origin: PUBLIC_URL }
  const answer = await send(tlsServer, 'POST', '/api/auth/signin', { body: accountOf('bob'), headers })
  const body = { session_id: sessionOf(answerOf(answer)) }
  const cookie = jar.take(answer).sentTo('/api/auth/refresh')
  const refreshed = await send(tlsServer, 'POST', '/api/auth/refresh', {
    body,
    headers: { ...headers, cookie },
  })
  assert.equal(refreshed.status, 200, refreshed.text)
})

test('AUTH-36: all tokens are in the answer without the header, or with another value', async () => {
  const tokens = await signIn(server, 'cleo')
  for (const headers of [{}, { 'x-token-storage': 'body' }]) {
    const body = { email: 'cleo', password: TEST_PASSWORD }
    const answer = await send(server, 'POST', '/api/auth/login', { body, headers })
    assert.equal(answer.headers.getSetCookie().length, 1)
    assert.deepEqual(Object.keys(answerOf(answer)), Object.keys(tokens))
    assert.equal((await tryRefresh(server, JSON.parse(answer.text))).status, 200)
  }
})

test('AUTH-37: a refresh with the header moves tokens from the body into cookies', async () => {
  const { refresh_token, session_token, ...tokens } = await signIn(server, 'cora')
  const body = { refresh_token, session_token }
  const answer = await send(server, 'POST', '/api/auth/refresh', { body, headers: ownPage })
  assert.equal(answer.status, 200)
  assert.equal(answerOf(answer).refresh_token, undefined)
  const moved = { jar: new CookieJar().take(answer), tokens }
  assert.equal(await statusIn(server, moved), 200)
  assert.equal((await refreshIn(server, moved)).status, 200)
})

test('AUTH-37: a cookie without the header, or with a wrong value, refreshes nothing', async () => {
  const browser = await arrive(server, 'dora')
  for (const header of [{}, { 'x-token-storage': 'body' }]) {
    const answer = await refreshIn(server, browser, { 'sec-fetch-site': 'same-origin', ...header })
    assert.deepEqual([answer.status, answer.body], [400, { error: 'refresh_token is required' }])
    assert.deepEqual(answer.headers.getSetCookie(), [])
  }
  await assertUnchanged(browser)
})

test('AUTH-37: the request names the session, and the cookie of another session is left alone', async () => {
  const [browser, other] = [await arrive(server, 'emma'), await arrive(server, 'emil')]
  const mixed = await refreshIn(server, { jar: other.jar, tokens: browser.tokens })
  assert.deepEqual([mixed.status, mixed.headers.getSetCookie()], [401, []])
  const unnamed = await send(server, 'POST', '/api/auth/refresh', {
    body: {},
    headers: { ...ownPage, cookie: browser.jar.sentTo('/api/auth/refresh') },
  })
  assert.deepEqual([unnamed.status, unnamed.body], [400, { error: 'session_id is required' }])
  for (const unchanged of [browser, other]) await assertUnchanged(unchanged)
})

test('AUTH-37: cookies of the same names from a neighbouring host do not interfere', async () => {
  const browser = await arrive(server, 'eric')
  const cookie = `service_refresh_token=x.y; service_session_token=z; ${browser.jar.sentTo('/api/auth/refresh')}`
  const body = { session_id: sessionOf(browser.tokens) }
  const answer = await send(server, 'POST', '/api/auth/refresh', { body, headers: { ...ownPage, cookie } })
  assert.equal(answer.status, 200)
})

for (const [name, headers] of [
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['a neighbouring host', { 'sec-fetch-site': 'same-site' }],
  ['another origin, without TLS', { origin: 'http://elsewhere.example.org' }],
  ['a page without an origin', { origin: 'null' }],
] as const)
  test(`AUTH-38: ${name} may not use the cookies: 403, and nothing changes`, async () => {
    const browser = await arrive(server, `fay_${name.length}`)
    const answer = await refreshIn(server, browser, { ...inCookies, ...headers })
    assert.deepEqual([answer.status, answer.code], [403, 'cross_site'])
    assert.deepEqual(answer.headers.getSetCookie(), [])
    for (const path of ['signin', 'login']) {
      const foreign = await send(server, 'POST', `/api/auth/${path}`, {
        body: {},
        headers: { ...inCookies, ...headers },
      })
      assert.deepEqual([foreign.status, foreign.headers.getSetCookie()], [403, []])
    }
    await assertUnchanged(browser)
  })

test('AUTH-38: pages of the server itself may use them, also without TLS and behind a proxy', async () => {
  const browser = await arrive(server, 'gina')
  const { host } = new URL(server.url)
  for (const headers of [{}, { origin: `http://${host}` }]) {
    const answer = await refreshIn(server, browser, { ...inCookies, ...headers })
    assert.equal(answer.status, 200, answer.text)
  }
  const headers = { ...inCookies, origin: PUBLIC_URL }
  const answer = await send(tlsServer, 'POST', '/api/auth/signin', { body: accountOf('gerd'), headers })
  assert.equal(answer.status, 200)
})

test('AUTH-38: a cookie alone is not a credential', async () => {
  const { jar, tokens } = await arrive(server, 'hana')
  const cookie = jar.sentTo('/api/auth/refresh')
  for (const [method, path] of [
    ['GET', '/api/users/@me'],
    ['POST', '/api/auth/logout'],
    ['DELETE', `/api/auth/sessions/${sessionOf(tokens)}`],
  ] as const)
    assert.equal((await send(server, method, path, { headers: { ...ownPage, cookie } })).status, 401)
  await assertUnchanged({ jar, tokens })
})

test('AUTH-40: logging out, ending the current session and deleting the account clear both cookies', async () => {
  for (const [method, path] of [
    ['POST', () => '/api/auth/logout'],
    ['DELETE', (tokens: LoginAnswer) => `/api/auth/sessions/${sessionOf(tokens)}`],
    ['DELETE', () => '/api/users/@me'],
  ] as const) {
    const { jar, tokens } = await arrive(server, `lea_${path.toString().length}`)
    const headers = { authorization: `Bearer ${tokens.access_token}`, cookie: jar.sentTo(path(tokens)) }
    const answer = await send(server, method, path(tokens), { headers, body: { password: TEST_PASSWORD } })
    assert.equal(answer.status, 204, answer.text)
    assert.deepEqual(jar.take(answer).cookies, [])
  }
})

test('AUTH-40: Secure cookies are cleared under their own names and paths', async () => {
  const headers = { ...ownPage, origin: PUBLIC_URL }
  const login = await send(tlsServer, 'POST', '/api/auth/signin', { body: accountOf('nora'), headers })
  const jar = new CookieJar().take(login)
  const { access_token } = answerOf(login)
  const own = { ...headers, authorization: `Bearer ${access_token}`, cookie: jar.sentTo('/api/auth/logout') }
  const answer = await send(tlsServer, 'POST', '/api/auth/logout', { headers: own })
  assert.equal(answer.status, 204, answer.text)
  assert.deepEqual(
    answer.headers
      .getSetCookie()
      .map((cookie) => cookie.replace(/^(.*?)=; Path=(.*?);.*?Max-Age=(\d+).*$/, '$1 $2 $3')),
    ['service_session_token / 0', '__Secure-service_refresh_token /api/auth 0'],
  )
  assert.ok(answer.headers.getSetCookie().every((cookie) => cookie.endsWith('; Secure')))
  assert.deepEqual(jar.take(answer).cookies, [])
})

test('AUTH-40: requests that end no session of the caller keep the cookies, and so do refused ones', async () => {
  const { jar, tokens } = await arrive(server, 'otto')
  const headers = { authorization: `Bearer ${tokens.access_token}`, cookie: jar.sentTo('/api/users/@me') }
  const wrong = { body: { password: 'not the password' }, headers }
  const answers = [
    await send(server, 'DELETE', '/api/users/@me', wrong),
    await send(server, 'DELETE', `/api/auth/sessions/${'0199c0de-0000-7000-8000-000000000001'}`, { headers }),
    await send(server, 'GET', '/api/users/@me', { headers }),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 404, 200],
  )
  assert.deepEqual(
    answers.flatMap((answer) => answer.headers.getSetCookie()),
    [],
  )
})

test('AUTH-40: ending another session keeps the cookies', async () => {
  const { tokens } = await arrive(server, 'mia')
  const own = await logIn(server, 'mia')
  const path = `/api/auth/sessions/${sessionOf(tokens)}`
  const answer = await send(server, 'DELETE', path, { headers: credentialOf(own) })
  assert.deepEqual([answer.status, answer.headers.getSetCookie()], [204, []])
})

/** Checks that the browser's tokens still work, including its first refresh token. */
async function assertUnchanged(browser: BrowserLogin): Promise<void> {
  assert.equal(await statusIn(server, browser), 200)
  const rows = await server.deps.database.query<{ generation: number }>(
    sql`select generation from sessions where id = ${sessionOf(browser.tokens)}`,
  )
  assert.deepEqual(rows, [{ generation: 0 }])
  assert.equal((await refreshIn(server, browser)).status, 200)
}
