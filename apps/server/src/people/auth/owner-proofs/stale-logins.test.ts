import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { codeOf, credentialOf, send, signIn } from '#test/scenes/accounts.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { callBack } from '#test/sign-in/attack.ts'
import { type Claims, type HostileProvider, startHostileProvider } from '#test/sign-in/hostile-provider.ts'
import { beginProof } from '#test/sign-in/proofs.ts'

const MINUTE = 60

let provider: HostileProvider
let server: TestServer
let headers: Record<string, string>

before(async () => {
  provider = await startHostileProvider()
  server = await startOwnServer({ oidcProviders: [provider.settings] })
  const tokens = await signIn(server, 'ada')
  headers = credentialOf(tokens)
  const { id } = tokens.user
  await server.deps.database.execute(sql`update users set password_hash = null where id = ${id}`)
  await server.deps.database.execute(sql`
    insert into identities (issuer, subject, user_id) values (${provider.settings.issuer}, 'mallory', ${id})`)
})
after(async () => {
  await server.close()
  await provider.close()
})

const now = () => Math.floor(Date.now() / 1000)

/** A whole proof, in which the provider answers a token with these claims. */
async function proveWith(changes: Claims): Promise<{ page: string; proof: string }> {
  const { browser, proof, url } = await beginProof(server, { headers }, provider.settings.id)
  const { searchParams } = new URL(url)
  const claims = provider.claims({ nonce: searchParams.get('nonce'), ...changes })
  provider.tokens = { id_token: await provider.sign(claims) }
  const page = await callBack(server, provider, { browser, state: searchParams.get('state') ?? '' })
  return { page, proof }
}

function prepareApp(proof: string) {
  const body = { proof }
  return codeOf(send(server, 'POST', '/api/users/@me/second-factors/totp', { headers, body }))
}

test('OIDC-14: a login of before, one in the future, and one without a time confirm nothing', async () => {
  const stale: Claims[] = [
    {},
    { auth_time: null },
    { auth_time: `${now()}` },
    { auth_time: now() - 6 * MINUTE },
    { auth_time: now() + 6 * MINUTE },
  ]
  for (const claims of stale) {
    const { page, proof } = await proveWith(claims)
    assert.notEqual(page, 'nothing', JSON.stringify(claims))
    assert.match(page, /^(login_not_fresh|provider_invalid)$/, JSON.stringify(claims))
    assert.deepEqual(await prepareApp(proof), [400, 'proof_ended'])
  }
  assert.equal((await proveWith({})).page, 'login_not_fresh')
  assert.equal((await proveWith({ auth_time: now() - 6 * MINUTE })).page, 'login_not_fresh')
})

test('OIDC-14: clocks may differ, and only the linked subject counts', async () => {
  const fresh = await proveWith({ auth_time: now() - 4 * MINUTE })
  assert.equal(fresh.page, 'nothing')
  assert.deepEqual(await prepareApp(fresh.proof), [200, null])
  const other = await proveWith({ auth_time: now(), sub: 'trudy' })
  assert.equal(other.page, 'other_identity')
  assert.deepEqual(await prepareApp(other.proof), [400, 'proof_ended'])
})

test('OIDC-14: a callback counts once, and leaves no ticket to log in with', async () => {
  const { browser, proof, url } = await beginProof(server, { headers }, provider.settings.id)
  const { searchParams } = new URL(url)
  const claims = provider.claims({ nonce: searchParams.get('nonce'), auth_time: now() })
  provider.tokens = { id_token: await provider.sign(claims) }
  const flow = new Map(browser.cookies)
  const state = searchParams.get('state') ?? ''
  assert.equal(await callBack(server, provider, { browser, state }), 'nothing')
  assert.deepEqual(await prepareApp(proof), [200, null])
  for (const [cookie, kept] of flow) browser.cookies.set(cookie, kept)
  assert.equal(await callBack(server, provider, { browser, state }), 'no_ticket')
  assert.deepEqual(await prepareApp(proof), [400, 'proof_ended'])
})
