import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LoginResult } from '@foyer/protocol/auth'
import { sql } from '#src/kernel/sql/sql.ts'
import { insertClaim } from '#src/operating/operators/claims.ts'
import { codeOf, credentialOf, emailOf, send, sendSignUp, signIn, tryLogin } from '#test/scenes/accounts.ts'
import { TEST_PASSWORD } from '#test/server.ts'
import { proveAs } from '#test/sign-in/proofs.ts'
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
import { totpCode } from '../second-factors/totp.ts'

let scene: SignInScene
let root: LoginResult

before(async () => {
  scene = await startSignInScene({ ann: verified('ann'), bea: verified('bea'), cleo: verified('cleo') })
  root = await signIn(scene.server, 'root')
})
after(() => scene.close())

async function setRules(rules: Record<string, unknown>): Promise<void> {
  const credential = credentialOf(root)
  const answer = await send(scene.server, 'PATCH', '/api/operator/registration', {
    headers: credential,
    body: rules,
  })
  assert.equal(answer.status, 200, answer.text)
}

test('OIDC-5: the rules for new accounts apply, and an invite opens the server', async () => {
  await setRules({ mode: 'invite' })
  const arrival = await scene.arrive('ann')
  assert.equal((await goOn(scene, arrival, 'signup', { username: 'ann' })).code, 'invite_required')
  await setRules({ mode: 'closed' })
  assert.equal((await goOn(scene, arrival, 'signup', { username: 'ann' })).code, 'registration_closed')
  await setRules({ mode: 'open', domains: ['example.com'] })
  assert.equal((await goOn(scene, arrival, 'signup', { username: 'ann' })).code, 'email_domain_refused')
  await setRules({ mode: 'open', domains: [] })
  assert.equal((await goOn(scene, arrival, 'signup', { username: 'ann' })).status, 200)
})

test('OIDC-12: an application keeps the identity, which logs in once an operator has approved it', async () => {
  await setRules({ mode: 'approval' })
  const arrival = await scene.arrive('bea')
  const applied = await goOn(scene, arrival, 'signup', { username: 'bea' })
  assert.deepEqual([applied.status, applied.code], [403, 'approval_pending'])
  const again = await scene.arrive('bea')
  assert.equal((await ticketOf(scene, again)).state, 'applied')
  assert.equal(
    (await goOn(scene, again, 'signup', { username: 'bea2', email: emailOf('b') })).code,
    'approval_pending',
  )
  assert.equal((await tryLogin(scene.server, 'bea')).code, 'invalid_login')
  const headers = credentialOf(root)
  const { body } = await send(scene.server, 'GET', '/api/operator/registrations', { headers })
  const [application] = Array.isArray(body) ? body : []
  const path = `/api/operator/registrations/${application.id}/approve`
  assert.equal((await send(scene.server, 'POST', path, { headers })).status, 204)
  const login = await logInAs(scene, 'bea')
  assert.deepEqual([login.answer.user.username, login.answer.user.email_verified], ['bea', true])
  await setRules({ mode: 'open' })
})

test('OIDC-4: the second factor of an account is asked for, too', async () => {
  const { headers, answer } = await signUpAs(scene, 'cleo')
  const { deps } = scene.server
  const hash = await deps.passwords.hash(TEST_PASSWORD, 'test')
  await deps.database.execute(sql`update users set password_hash = ${hash} where id = ${answer.user.id}`)
  const factors = '/api/users/@me/second-factors'
  const body = { password: TEST_PASSWORD }
  const { secret } = Object((await send(scene.server, 'POST', `${factors}/totp`, { headers, body })).body)
  const period = Math.floor(Date.now() / 30_000)
  const confirm = await send(scene.server, 'POST', `${factors}/totp/confirm`, {
    headers,
    body: { code: totpCode(secret, period - 1) },
  })
  assert.equal(confirm.status, 200, confirm.text)
  const arrival = await scene.arrive('cleo')
  assert.equal((await goOn(scene, arrival, 'login')).code, 'second_factor_required')
  assert.equal((await goOn(scene, arrival, 'login', { code: '000000' })).code, 'invalid_code')
  const login = signedIn(arrival, await goOn(scene, arrival, 'login', { code: totpCode(secret, period) }))
  assert.equal(await statusIn(scene, login), 200)
})

test('OIDC-8: with passwords off, only providers let people in', async () => {
  const off = await startSignInScene({ ann: verified('ann') }, { passwordLogin: false })
  try {
    const { server } = off
    const expected = [403, 'password_login_off']
    const email = emailOf('ann')
    assert.deepEqual(await codeOf(sendSignUp(server, 'ann')), expected)
    assert.deepEqual(await codeOf(tryLogin(server, 'ann')), expected)
    const forgot = send(server, 'POST', '/api/auth/forgot-password', { body: { email } })
    assert.deepEqual(await codeOf(forgot), expected)
    const reset = send(server, 'POST', '/api/auth/reset-password', {
      body: { token: 'x', password: TEST_PASSWORD },
    })
    assert.deepEqual(await codeOf(reset), expected)
    const { headers } = await signUpAs(off, 'ann')
    const { proof } = await proveAs(off, { headers }, 'ann')
    assert.deepEqual(
      await codeOf(send(server, 'POST', '/api/auth/reset-password/send', { headers })),
      expected,
    )
    const { body } = await send(server, 'GET', '/api/instance')
    assert.equal(Object(body).login.passwords, false)
    const unlink = send(server, 'DELETE', '/api/users/@me/identities/main', { headers, body: { proof } })
    assert.deepEqual(await codeOf(unlink), [400, 'last_way_in'])
  } finally {
    await off.close()
  }
})

test('OIDC-8: with passwords off, the link for the first operator still makes an account', async () => {
  const off = await startSignInScene(
    { ann: verified('ann') },
    { passwordLogin: false, registration: 'closed' },
  )
  try {
    const { server } = off
    // The first account of this server is its operator.
    await signUpAs(off, 'ann')
    await server.deps.database.execute(sql`delete from operators`)
    await insertClaim(server.deps.database, 'a claim')
    assert.deepEqual(await codeOf(sendSignUp(server, 'bea', { invite: 'another' })), [
      403,
      'password_login_off',
    ])
    assert.equal((await sendSignUp(server, 'bea', { invite: 'a claim' })).status, 200)
  } finally {
    await off.close()
  }
})
