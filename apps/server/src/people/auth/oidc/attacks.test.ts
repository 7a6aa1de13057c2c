import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { base64url, exportSPKI } from 'jose'
import { sql } from '#src/kernel/sql/sql.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { begin, callBack, logInWith } from '#test/sign-in/attack.ts'
import { SignInBrowser } from '#test/sign-in/browser.ts'
import {
  type Claims,
  type HostileProvider,
  newKeys,
  startHostileProvider,
} from '#test/sign-in/hostile-provider.ts'

const now = () => Math.floor(Date.now() / 1000)
const MINUTE = 60

let server: TestServer
let provider: HostileProvider
let honest: HostileProvider

before(async () => {
  provider = await startHostileProvider()
  honest = await startHostileProvider({ id: 'honest', name: 'Honest' })
  server = await startOwnServer({ oidcProviders: [provider.settings, honest.settings] })
})
beforeEach(() => {
  provider.published = [provider.keys.publicKey]
  provider.metadata = {}
  provider.tokens = {}
})
after(async () => {
  await server.close()
  await provider.close()
  await honest.close()
})

test('OIDC-3: a token that is in order is accepted', async () => {
  assert.equal(await logInWith(server, provider), 'ticket')
})

const wrongClaims: Record<string, () => Claims> = {
  'of another issuer': () => ({ iss: honest.settings.issuer }),
  'for another client': () => ({ aud: 'somebody else' }),
  'for several clients, of which another one got it': () => ({ aud: ['foyer', 'other'], azp: 'other' }),
  'for nobody': () => ({ aud: [] }),
  'with the nonce of another login': () => ({ nonce: 'another' }),
  'without a nonce': () => ({ nonce: undefined }),
  'without a subject': () => ({ sub: undefined }),
  'with an empty subject': () => ({ sub: '' }),
  'that expired six minutes ago': () => ({ exp: now() - 6 * MINUTE }),
  'that is valid in six minutes': () => ({ nbf: now() + 6 * MINUTE }),
  'that never expires': () => ({ exp: undefined }),
}

for (const [name, changes] of Object.entries(wrongClaims)) {
  test(`OIDC-3: a token ${name} is refused`, async () => {
    assert.equal(await logInWith(server, provider, changes()), 'provider_invalid')
  })
}

test('OIDC-3: clocks may differ by almost five minutes', async () => {
  assert.equal(await logInWith(server, provider, { exp: now() - 4 * MINUTE }), 'ticket')
  assert.equal(await logInWith(server, provider, { nbf: now() + 4 * MINUTE }), 'ticket')
})

test('OIDC-3: a token without a signature is refused, although the provider announces that', async () => {
  const begun = await begin(server, provider)
  const claims = provider.claims({ nonce: begun.nonce })
  const parts = [{ alg: 'none' }, claims].map((part) => base64url.encode(JSON.stringify(part)))
  provider.tokens = { id_token: `${parts.join('.')}.` }
  assert.equal(await callBack(server, provider, begun), 'provider_invalid')
})

test('OIDC-3: a token that is signed with the public key as a shared secret is refused', async () => {
  const { subtle } = globalThis.crypto
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const publicKey = await subtle.importKey('jwk', provider.keys.publicKey, algorithm, true, ['verify'])
  const pem = new TextEncoder().encode(await exportSPKI(publicKey))
  for (const key of [pem, new TextEncoder().encode('secret'.padEnd(32, 'x'))])
    assert.equal(await logInWith(server, provider, {}, { key, header: { alg: 'HS256' } }), 'provider_invalid')
})

test('OIDC-3: a token that is signed with another key is refused, whatever its name', async () => {
  const { privateKey } = await newKeys('first')
  assert.equal(await logInWith(server, provider, {}, { key: privateKey }), 'provider_invalid')
  assert.equal(
    await logInWith(server, provider, {}, { key: privateKey, header: { kid: 'other' } }),
    'provider_invalid',
  )
  const jwk = (await newKeys('own')).publicKey
  assert.equal(
    await logInWith(server, provider, {}, { key: privateKey, header: { jwk } }),
    'provider_invalid',
  )
})

test('OIDC-3: a new key works at once, and a withdrawn one no longer', async () => {
  const next = await newKeys('next')
  const options = { key: next.privateKey, header: { kid: 'next' } }
  assert.equal(await logInWith(server, provider, {}, options), 'provider_invalid')
  provider.published = [next.publicKey]
  assert.equal(await logInWith(server, provider, {}, options), 'ticket')
  assert.equal(await logInWith(server, provider), 'provider_invalid')
})

test('OIDC-3: an answer without an ID token is refused', async () => {
  assert.equal(await callBack(server, provider, await begin(server, provider)), 'provider_invalid')
})

test('OIDC-3: a callback with another state, or none, is refused, and the right one still works', async () => {
  const begun = await begin(server, provider)
  provider.tokens = { id_token: await provider.sign(provider.claims({ nonce: begun.nonce })) }
  for (const state of ['another', ''])
    assert.equal(await callBack(server, provider, { ...begun, state }), 'no_ticket')
  assert.equal(await callBack(server, provider, begun), 'ticket')
})

test('OIDC-3: a state works once, also with the cookie of before', async () => {
  const begun = await begin(server, provider)
  const cookies = [...begun.browser.cookies]
  provider.tokens = { id_token: await provider.sign(provider.claims({ nonce: begun.nonce })) }
  assert.equal(await callBack(server, provider, begun), 'ticket')
  assert.equal(await callBack(server, provider, begun), 'no_ticket')
  const thief = new SignInBrowser()
  for (const [name, cookie] of cookies) thief.cookies.set(name, cookie)
  assert.equal(await callBack(server, provider, { browser: thief, state: begun.state }), 'no_ticket')
})

test('OIDC-3: a callback that somebody else began is refused: nobody is logged in as another person', async () => {
  const [mine, theirs] = [await begin(server, provider), await begin(server, provider)]
  provider.tokens = { id_token: await provider.sign(provider.claims({ nonce: theirs.nonce })) }
  assert.equal(await callBack(server, provider, { ...mine, state: theirs.state }), 'no_ticket')
  assert.equal(
    await callBack(server, provider, { browser: new SignInBrowser(), state: theirs.state }),
    'no_ticket',
  )
  // With the own state and the code of another, the nonce is another one.
  assert.equal(await callBack(server, provider, mine), 'provider_invalid')
})

test('OIDC-3: a login that began at one provider does not end at another', async () => {
  const begun = await begin(server, honest)
  provider.tokens = { id_token: await provider.sign(provider.claims({ nonce: begun.nonce })) }
  const asked = provider.asked().length
  assert.equal(await callBack(server, provider, begun), 'no_ticket')
  assert.equal(provider.asked().length, asked)
})

test('OIDC-3: a callback that names another issuer is refused before the code is redeemed', async () => {
  honest.metadata = { authorization_response_iss_parameter_supported: true }
  const first = await begin(server, honest)
  assert.equal(await callBack(server, honest, first, { iss: provider.settings.issuer }), 'provider_invalid')
  assert.equal(await callBack(server, honest, await begin(server, honest)), 'provider_invalid')
  assert.ok(!honest.asked().includes('/token'))
  const begun = await begin(server, honest)
  honest.tokens = { id_token: await honest.sign(honest.claims({ nonce: begun.nonce })) }
  assert.equal(await callBack(server, honest, begun, { iss: honest.settings.issuer }), 'ticket')
})

test('OIDC-3: a refusal of the provider is shown as one', async () => {
  const begun = await begin(server, provider)
  const query = { error: 'access_denied', error_description: '<script>' }
  assert.equal(await callBack(server, provider, begun, { ...query, code: '' }), 'provider_refused')
})

test('OIDC-3: the cookies of a login are not exchanged for one another', async () => {
  const begun = await begin(server, provider)
  const flow = begun.browser.cookies.get('foyer_oidc_flow')
  assert.ok(flow)
  begun.browser.cookies.set('foyer_oidc_ticket', flow)
  const response = await begun.browser.post(`${server.url}/api/auth/oidc/login`, {})
  assert.equal(response.headers.get('x-error-code'), 'no_ticket')
})

test('OIDC-3: claims that are signed count more than those of UserInfo, which must be of the same subject', async () => {
  const { issuer } = provider.settings
  provider.metadata = { userinfo_endpoint: `${issuer}/keys` }
  assert.equal(await logInWith(server, provider), 'provider_invalid', 'it names no subject')
})

test('OIDC-3: no token of the provider and no claim is kept', async () => {
  await logInWith(server, provider, { email: 'mallory@example.org', email_verified: true })
  const rows = await server.deps.database.query<{ text: string }>(sql`
    select spent_oidc_tokens::text as text from spent_oidc_tokens`)
  assert.ok(rows.length > 0)
  assert.ok(rows.every(({ text }) => !text.includes('mallory')))
})
