import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fragment, sql } from '#src/kernel/sql/sql.ts'
import { sweepExpired } from '#src/kernel/sweeping.ts'
import { emailOf, type RawAnswer, signIn, statusOf } from '#test/scenes/accounts.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { logInWith } from '#test/sign-in/attack.ts'
import {
  type Claims,
  type HostileProvider,
  newKeys,
  startHostileProvider,
} from '#test/sign-in/hostile-provider.ts'
import { answerOf, logInAs, signUpAs, startSignInScene, statusIn } from '#test/sign-in/scene.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const now = () => Math.floor(Date.now() / 1000)

let server: TestServer
let provider: HostileProvider

before(async () => {
  provider = await startHostileProvider()
  server = await startOwnServer({ oidcProviders: [provider.settings] })
})
after(async () => {
  await server.close()
  await provider.close()
})

async function sendToken(token: string, id = 'evil'): Promise<RawAnswer> {
  const body = new URLSearchParams({ logout_token: token })
  return answerOf(await server.fetch(`/api/auth/oidc/${id}/backchannel-logout`, { method: 'POST', body }))
}

let count = 0

/** A logout token that is in order. */
function logoutClaims(changes: Claims = {}): Claims {
  count += 1
  return { ...provider.claims(), nonce: undefined, jti: `id ${count}`, events: { [EVENT]: {} }, ...changes }
}

/** A session that an identity opened, as a login leaves it. */
async function openSession(subject: string, sid: string | null) {
  count += 1
  const login = await signIn(server, `user${count}`)
  await server.deps.database.execute(sql`
    update sessions set issuer = ${provider.settings.issuer}, subject = ${subject}, provider_session = ${sid}
    where user_id = ${login.user.id}`)
  return login
}

test('OIDC-10: the real provider ends the session that it opened, and no other', async () => {
  const verified = { email: emailOf('ann'), email_verified: true }
  const scene = await startSignInScene({ ann: verified })
  try {
    const first = await signUpAs(scene, 'ann')
    const second = await logInAs(scene, 'ann')
    const rows = await scene.server.deps.database.query<{ provider_session: string }>(sql`
      select provider_session from sessions order by created_at`)
    assert.ok(rows[0]?.provider_session && rows[0].provider_session !== rows[1]?.provider_session)
    await scene.provider.endSession('ann', rows[0].provider_session)
    assert.deepEqual([await statusIn(scene, first), await statusIn(scene, second)], [401, 200])
  } finally {
    await scene.close()
  }
})

test('OIDC-10: a subject without a session ends all of its sessions, but not those of a password', async () => {
  const [one, two, other] = [
    await openSession('s1', 'a'),
    await openSession('s1', null),
    await openSession('s2', 'b'),
  ]
  const byPassword = await signIn(server, 'pia')
  const answer = await sendToken(await provider.sign(logoutClaims({ sub: 's1' })))
  assert.deepEqual([answer.status, answer.text, answer.headers.get('cache-control')], [200, '{}', 'no-store'])
  const statuses = await Promise.all([one, two, other, byPassword].map((login) => statusOf(server, login)))
  assert.deepEqual(statuses, [401, 401, 200, 200])
})

test('OIDC-10: a session ends only what it opened, and only for its subject', async () => {
  const [one, two] = [await openSession('s3', 'c'), await openSession('s4', 'c')]
  await sendToken(await provider.sign(logoutClaims({ sub: 's3', sid: 'c' })))
  assert.deepEqual([await statusOf(server, one), await statusOf(server, two)], [401, 200])
  await sendToken(await provider.sign(logoutClaims({ sub: undefined, sid: 'c' })))
  assert.equal(await statusOf(server, two), 401)
})

const wrong: Record<string, Claims> = {
  'of another issuer': { iss: 'https://other.example' },
  'for another client': { aud: 'other' },
  'without an id': { jti: undefined },
  'without a time': { iat: undefined },
  'of long ago': { iat: now() - 20 * 60 },
  'of the future': { iat: now() + 20 * 60 },
  'that expired': { exp: now() - 10 * 60 },
  'with a nonce': { nonce: 'n' },
  'without events': { events: undefined },
  'of another event': { events: { 'https://example.org/event': {} } },
  'with an event that is a list': { events: { [EVENT]: [] } },
  'for nobody': { sub: undefined, sid: undefined },
}

for (const [name, changes] of Object.entries(wrong)) {
  test(`OIDC-10: a logout token ${name} is refused, and ends nothing`, async () => {
    const login = await openSession('s5', null)
    const answer = await sendToken(await provider.sign(logoutClaims({ sub: 's5', ...changes })))
    assert.deepEqual([answer.status, answer.code], [400, 'invalid_logout_token'])
    assert.equal(await statusOf(server, login), 200)
  })
}

test('OIDC-10: a logout token counts once', async () => {
  const token = await provider.sign(logoutClaims({ sub: 's6' }))
  const answers = await Promise.all([1, 2, 3].map(() => sendToken(token)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400])
  const login = await openSession('s6', null)
  assert.equal((await sendToken(token)).code, 'invalid_logout_token')
  assert.equal(await statusOf(server, login), 200)
})

test('OIDC-10: an ID token, another signature or none at all end nothing', async () => {
  const login = await openSession('s7', null)
  const { privateKey } = await newKeys('first')
  const claims = logoutClaims({ sub: 's7' })
  const secret = new TextEncoder().encode('secret'.padEnd(32, 'x'))
  const tokens = [
    await provider.sign(provider.claims({ sub: 's7', jti: 'x', nonce: 'n' })),
    await provider.sign(claims, { key: privateKey }),
    await provider.sign(claims, { key: secret, header: { alg: 'HS256' } }),
    await provider.sign(claims, { header: { typ: 'at+jwt' } }),
    `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims))}.`,
    '',
    'x'.repeat(100_000),
  ]
  for (const token of tokens) assert.equal((await sendToken(token)).code, 'invalid_logout_token')
  assert.equal(
    (await answerOf(await server.fetch('/api/auth/oidc/evil/backchannel-logout', { method: 'POST' }))).status,
    400,
  )
  assert.equal((await sendToken(await provider.sign(claims), 'other')).code, 'unknown_provider')
  assert.equal(await statusOf(server, login), 200)
})

test('OIDC-10: while the keys cannot be read, the provider is asked to try again', async () => {
  provider.instead = (request) => request.socket.destroy()
  const answer = await sendToken(await provider.sign(logoutClaims({ sub: 's8' })))
  provider.instead = undefined
  assert.deepEqual([answer.status, answer.code], [503, 'unavailable'])
})

test('OIDC-13: spent tokens are deleted once they are out of date', async () => {
  await logInWith(server, provider)
  const { database } = server.deps
  const countRows = async () => (await database.query(sql`select from spent_oidc_tokens`)).length
  await sweepExpired(database, fragment`spent_oidc_tokens`)
  assert.ok((await countRows()) > 0)
  await database.execute(sql`update spent_oidc_tokens set expires_at = now() - interval '1 second'`)
  await sweepExpired(database, fragment`spent_oidc_tokens`)
  assert.equal(await countRows(), 0)
})
