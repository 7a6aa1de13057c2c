import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { credentialOf, emailOf, send, signIn } from '#test/scenes/accounts.ts'
import { TEST_PASSWORD } from '#test/server.ts'
import { SignInBrowser } from '#test/sign-in/browser.ts'
import {
  goOn,
  logInAs,
  type SignInScene,
  signedIn,
  signUpAs,
  startSignInScene,
  statusIn,
  ticketOf,
  verified,
} from '#test/sign-in/scene.ts'

let scene: SignInScene

before(async () => {
  scene = await startSignInScene({
    ann: verified('ann'),
    bea: { ...verified('bea'), email_verified: false },
    cleo: { ...verified('cleo'), preferred_username: 'Cléo Smith@corp' },
    dora: verified('dora'),
    emma: verified('emma'),
    fay: { email: emailOf('gina'), email_verified: true, preferred_username: 'gina' },
    hana: { ...verified('hana'), email_verified: 'true' },
    ines: verified('ines'),
    jana: verified('jana'),
    kim: {},
  })
})
after(() => scene.close())

function accountRow(username: string) {
  return scene.server.deps.database.query<{ email_verified: boolean; has_password: boolean }>(sql`
    select email_verified, password_hash is not null as has_password from users where username = ${username}`)
}

test('OIDC-1: GET /api/instance lists the providers, without their secrets', async () => {
  const { body, text } = await send(scene.server, 'GET', '/api/instance')
  assert.deepEqual(Reflect.get(Object(body), 'login'), {
    passwords: true,
    providers: [{ id: 'main', name: 'Main login' }],
  })
  assert.ok(!text.includes('secret'))
})

test('OIDC-2: the start leads to the provider with PKCE, state and nonce, which stay in a sealed cookie', async () => {
  const browser = new SignInBrowser()
  const response = await browser.open(`${scene.server.url}/api/auth/oidc/main/start`)
  const url = new URL(response.headers.get('location') ?? '')
  assert.deepEqual([response.status, response.headers.get('cache-control')], [302, 'no-store'])
  assert.equal(url.origin, scene.provider.settings.issuer)
  const query = Object.fromEntries(url.searchParams)
  assert.deepEqual([query.code_challenge_method, query.response_type], ['S256', 'code'])
  assert.equal(query.redirect_uri, `${scene.server.url}/api/auth/oidc/main/callback`)
  assert.ok([query.state, query.nonce, query.code_challenge].every((value) => value && value.length >= 32))
  const [cookie = ''] = response.headers.getSetCookie()
  assert.match(
    cookie,
    /^foyer_oidc_flow=[\w-]+; Path=\/api\/auth\/oidc; HttpOnly; SameSite=Lax; Max-Age=600$/,
  )
  const sealed = Buffer.from(browser.cookies.get('foyer_oidc_flow')?.value ?? '', 'base64url').toString(
    'latin1',
  )
  assert.ok(!sealed.includes(query.state ?? ''))
})

test('OIDC-2: a provider that the server does not have is 404', async () => {
  for (const path of ['start', 'callback'])
    assert.equal((await send(scene.server, 'GET', `/api/auth/oidc/other/${path}`)).code, 'unknown_provider')
})

const foreign = [
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/..//evil.example',
  'evil.example',
  'javascript:alert(1)',
  '/api/auth/logout',
  '/attachments/x',
]

for (const next of foreign) {
  test(`OIDC-2: ${JSON.stringify(next)} is not opened after a login`, async () => {
    const query = new URLSearchParams({ next })
    const answer = await send(scene.server, 'GET', `/api/auth/oidc/main/start?${query}`)
    assert.deepEqual([answer.status, answer.code], [400, 'invalid_request'])
    assert.deepEqual(answer.headers.getSetCookie(), [])
  })
}

test('OIDC-5: a new account takes over the verified address, and has no password', async () => {
  const arrival = await scene.arrive('ann', '/invite/abc?x=1')
  assert.equal(`${arrival.page.pathname}${arrival.page.search}`, '/sign-in')
  assert.deepEqual(await ticketOf(scene, arrival), {
    provider: { id: 'main', name: 'Main login' },
    ...{ state: 'unknown', username: 'ann', masked_email: 'a•••n@example.org', next: '/invite/abc?x=1' },
  })
  const answer = await goOn(scene, arrival, 'signup', { username: 'ann' })
  const login = signedIn(arrival, answer)
  assert.equal(await statusIn(scene, login), 200)
  assert.equal(login.answer.user.email_verified, true)
  assert.equal(login.answer.refresh_token, undefined)
  assert.deepEqual(await accountRow('ann'), [{ email_verified: true, has_password: false }])
  assert.ok(!answer.text.includes(emailOf('ann')))
})

test('OIDC-4: a linked identity logs in like a password does', async () => {
  const arrival = await scene.arrive('ann')
  assert.equal((await ticketOf(scene, arrival)).state, 'linked')
  const login = signedIn(arrival, await goOn(scene, arrival, 'login'))
  assert.deepEqual([login.answer.user.username, await statusIn(scene, login)], ['ann', 200])
  const sessions = await send(scene.server, 'GET', '/api/auth/sessions', { headers: login.headers })
  assert.ok(Array.isArray(sessions.body) && sessions.body.length >= 2)
})

test('OIDC-4: a ticket opens one session, however often it is sent at once', async () => {
  const arrival = await scene.arrive('ann')
  const kept = new Map(arrival.browser.cookies)
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => {
      const browser = new SignInBrowser()
      for (const [name, cookie] of kept) browser.cookies.set(name, cookie)
      return goOn(scene, { browser }, 'login')
    }),
  )
  const codes = answers.map(({ status, code }) => code ?? status).toSorted()
  assert.deepEqual(codes, [200, 'no_ticket', 'no_ticket', 'no_ticket', 'no_ticket'])
})

test('OIDC-4: without a ticket, and with a changed one, nothing opens', async () => {
  const arrival = await scene.arrive('ann')
  const { value = '', path = '' } = arrival.browser.cookies.get('foyer_oidc_ticket') ?? {}
  const changed = value.slice(0, -6) + (value.endsWith('AAAAAA') ? 'BBBBBB' : 'AAAAAA')
  for (const wrong of [changed, '', 'x', value.slice(1)]) {
    arrival.browser.cookies.set('foyer_oidc_ticket', { value: wrong, path })
    assert.equal((await goOn(scene, arrival, 'login')).code, 'no_ticket')
    assert.equal((await goOn(scene, arrival, 'signup', { username: 'nobody' })).code, 'no_ticket')
  }
  arrival.browser.cookies.set('foyer_oidc_ticket', { value, path })
  assert.equal((await goOn(scene, arrival, 'login')).status, 200)
})

test('OIDC-4: another site cannot go on with the ticket', async () => {
  const { browser } = await scene.arrive('ann')
  const response = await browser.post(
    `${scene.server.url}/api/auth/oidc/login`,
    {},
    { 'sec-fetch-site': 'cross-site' },
  )
  assert.equal(response.headers.get('x-error-code'), 'cross_site')
})

test('OIDC-4: a ticket is out of date after ten minutes', async (t) => {
  const arrival = await scene.arrive('ann')
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 10 * 60 * 1000 + 1000 })
  assert.equal((await goOn(scene, arrival, 'login')).code, 'no_ticket')
})

test('OIDC-4: a locked account is refused', async () => {
  const { answer } = await signUpAs(scene, 'dora')
  await scene.server.deps.database.execute(
    sql`update users set locked_at = now() where id = ${answer.user.id}`,
  )
  const arrival = await scene.arrive('dora')
  const refused = await goOn(scene, arrival, 'login')
  assert.deepEqual([refused.status, refused.code], [403, 'account_locked'])
})

test('OIDC-5: an address that the provider has not verified is not taken over', async () => {
  for (const account of ['bea', 'hana', 'kim']) {
    const arrival = await scene.arrive(account)
    assert.equal((await ticketOf(scene, arrival)).masked_email, null)
    assert.equal((await goOn(scene, arrival, 'signup', { username: account })).code, 'email_required')
    const answer = await goOn(scene, arrival, 'signup', { username: account, email: emailOf(account) })
    assert.equal(signedIn(arrival, answer).answer.user.email_verified, false)
  }
})

test('OIDC-5: another address than the verified one is not verified', async () => {
  const arrival = await scene.arrive('emma')
  const answer = await goOn(scene, arrival, 'signup', { username: 'emma', email: emailOf('emma2') })
  assert.equal(signedIn(arrival, answer).answer.user.email_verified, false)
})

test('OIDC-5: the suggested username has only letters that usernames have', async () => {
  assert.equal((await ticketOf(scene, await scene.arrive('cleo'))).username, 'closmith')
})

test('OIDC-5: one identity makes one account, and a username in use costs no ticket', async () => {
  const [first, second] = [await scene.arrive('ines'), await scene.arrive('ines')]
  assert.equal((await goOn(scene, first, 'signup', { username: 'ann' })).code, 'username_taken')
  assert.equal((await goOn(scene, first, 'signup', { username: 'ines' })).status, 200)
  const body = { username: 'ines2', email: emailOf('ines2') }
  assert.equal((await goOn(scene, second, 'signup', body)).code, 'identity_taken')
})

test('OIDC-6: an equal address links nothing, but the password of the account does', async () => {
  await signIn(scene.server, 'gina')
  const arrival = await scene.arrive('fay')
  assert.equal((await ticketOf(scene, arrival)).state, 'unknown')
  assert.equal((await goOn(scene, arrival, 'login')).code, 'unknown_identity')
  assert.equal((await goOn(scene, arrival, 'signup', { username: 'gina2' })).code, 'email_taken')
  const wrong = { email: 'gina', password: 'wrong password' }
  assert.equal((await goOn(scene, arrival, 'link', wrong)).code, 'invalid_login')
  const right = { email: 'gina', password: TEST_PASSWORD }
  const login = signedIn(arrival, await goOn(scene, arrival, 'link', right))
  assert.deepEqual([login.answer.user.username, await statusIn(scene, login)], ['gina', 200])
  assert.equal((await logInAs(scene, 'fay')).answer.user.username, 'gina')
})

test('OIDC-6: an identity of another account is not linked, nor a second one of the provider', async () => {
  const [early, late] = [await scene.arrive('jana'), await scene.arrive('jana')]
  const other = await signIn(scene.server, 'lea')
  assert.equal(
    (await goOn(scene, early, 'link', { email: 'gina', password: TEST_PASSWORD })).code,
    'provider_linked',
  )
  assert.equal((await goOn(scene, early, 'signup', { username: 'jana' })).status, 200)
  assert.equal(
    (await goOn(scene, late, 'link', { email: 'lea', password: TEST_PASSWORD })).code,
    'identity_taken',
  )
  const { text } = await send(scene.server, 'GET', '/api/users/@me/identities', {
    headers: credentialOf(other),
  })
  assert.deepEqual(JSON.parse(text), { has_password: true, identities: [], session_provider: null })
})
