import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { awaitMail } from '#test/outside/mailbox.ts'
import { codeOf, credentialOf, emailOf, send, signIn } from '#test/scenes/accounts.ts'
import { createBot } from '#test/scenes/people.ts'
import { TEST_PASSWORD } from '#test/server.ts'
import { SignInBrowser } from '#test/sign-in/browser.ts'
import { proveAs } from '#test/sign-in/proofs.ts'
import {
  goOn,
  linkIn,
  logInAs,
  type SignInScene,
  signUpAs,
  startSignInScene,
  statusIn,
  verified,
} from '#test/sign-in/scene.ts'

const root = '/api/users/@me/identities'
const proof = { password: TEST_PASSWORD }

let scene: SignInScene

before(async () => {
  scene = await startSignInScene({
    ann: verified('ann'),
    bea: verified('bea'),
    cleo: verified('cleo'),
    dora: verified('dora'),
  })
})
after(() => scene.close())

function unlink(headers: Record<string, string>, body: unknown = {}) {
  return codeOf(send(scene.server, 'DELETE', `${root}/main`, { headers, body }))
}

test('OIDC-7: a person links an identity with the password, logs in with it, and unlinks it', async () => {
  const headers = credentialOf(await signIn(scene.server, 'ada'))
  const page = await linkIn(scene, new SignInBrowser(), headers, { account: 'ann', proof })
  assert.ok(page instanceof URL)
  const mailed = (subject: string) => awaitMail(scene.server, emailOf('ada'), { subject })
  assert.match(await mailed('A sign-in provider was linked at'), /Main login/)
  assert.deepEqual([page.searchParams.get('linked'), page.searchParams.get('error')], ['main', null])
  const { body } = await send(scene.server, 'GET', root, { headers })
  const [identity] = Object(body).identities
  assert.deepEqual([identity.provider, identity.name], [{ id: 'main', name: 'Main login' }, 'ann'])
  const byProvider = await logInAs(scene, 'ann')
  assert.equal(byProvider.answer.user.username, 'ada')
  assert.deepEqual(await unlink(headers, { password: 'wrong password' }), [400, 'wrong_password'])
  assert.deepEqual(await unlink(headers), [400, 'invalid_request'])
  assert.deepEqual(await unlink(headers, proof), [204, null])
  await mailed('A sign-in provider was unlinked at')
  assert.equal(await statusIn(scene, byProvider), 401, 'what the identity opened has ended')
  assert.equal(await statusIn(scene, { headers }), 200)
  assert.deepEqual(await unlink(headers, proof), [404, 'unknown_identity'])
})

test('OIDC-7: linking needs the password', async () => {
  const headers = credentialOf(await signIn(scene.server, 'bob'))
  const wrongs = [
    [{}, 'invalid_request'],
    [{ password: 'wrong password' }, 'wrong_password'],
  ] as const
  for (const [wrong, code] of wrongs) {
    const refused = await linkIn(scene, new SignInBrowser(), headers, { account: 'bea', proof: wrong })
    assert.ok(!(refused instanceof URL))
    assert.deepEqual([refused.status, refused.code, refused.headers.getSetCookie()], [400, code, []])
  }
})

test('OIDC-7: a session that ended in between links nothing', async () => {
  const headers = credentialOf(await signIn(scene.server, 'carl'))
  const begun = await fetch(`${scene.server.url}${root}/main/start`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(proof),
  })
  const browser = new SignInBrowser()
  browser.take(begun.headers)
  const { url }: { url: string } = await begun.json()
  await send(scene.server, 'POST', '/api/auth/logout', { headers })
  const page = await browser.follow(url, 'bea')
  assert.equal(page.searchParams.get('error'), 'authentication_required')
  const rows = await scene.server.deps.database.query(sql`select from identities where subject = 'bea'`)
  assert.deepEqual(rows, [])
})

test('OIDC-7: an identity of another account is not linked', async () => {
  await signUpAs(scene, 'bea')
  const headers = credentialOf(await signIn(scene.server, 'dave'))
  const page = await linkIn(scene, new SignInBrowser(), headers, { account: 'bea', proof })
  assert.ok(page instanceof URL)
  assert.equal(page.searchParams.get('error'), 'identity_taken')
})

test('OIDC-7: a login at the moment of unlinking opens no session', async () => {
  const { answer } = await signUpAs(scene, 'dora')
  const { id } = answer.user
  const arrival = await scene.arrive('dora')
  const lock = await holdLock(
    scene.server,
    sql`with unlinked as (delete from identities where user_id = ${id}) select from users where id = ${id} for no key update`,
  )
  const login = goOn(scene, arrival, 'login')
  await lock.waitForBlocked(1)
  await lock.release()
  assert.equal((await login).code, 'unknown_identity')
})

test('OIDC-7: the only way in stays, until there is a password', async () => {
  const { headers, answer } = await signUpAs(scene, 'cleo')
  const fresh = await proveAs(scene, { headers }, 'cleo')
  assert.deepEqual(await unlink(headers, { proof: fresh.proof }), [400, 'last_way_in'])
  assert.equal((await logInAs(scene, 'cleo')).answer.user.id, answer.user.id)
  const body = { password: 'x', new_password: TEST_PASSWORD }
  const change = send(scene.server, 'PATCH', '/api/users/@me/password', { headers, body })
  assert.deepEqual(await codeOf(change), [400, 'no_password'])
  const hash = await scene.server.deps.passwords.hash(TEST_PASSWORD, 'test')
  await scene.server.deps.database.execute(
    sql`update users set password_hash = ${hash} where id = ${answer.user.id}`,
  )
  assert.deepEqual(await unlink(headers, proof), [204, null])
})

test('OIDC-7: bots and strangers link nothing, and nobody unlinks for another', async () => {
  const bot = await createBot(scene.server, 'robot')
  assert.equal((await bot.call('GET', root)).code, 'bots_not_allowed')
  assert.deepEqual(await unlink({}), [401, 'authentication_required'])
  const headers = credentialOf(await signIn(scene.server, 'eve'))
  assert.deepEqual(await unlink(headers, proof), [404, 'unknown_identity'])
  const other = send(scene.server, 'DELETE', `${root}/other`, { headers, body: proof })
  assert.deepEqual(await codeOf(other), [404, 'unknown_provider'])
})

test('OIDC-7: the identities of an account go with it', async () => {
  const headers = credentialOf(await signIn(scene.server, 'finn'))
  assert.ok((await linkIn(scene, new SignInBrowser(), headers, { account: 'ann', proof })) instanceof URL)
  await send(scene.server, 'DELETE', '/api/users/@me', { headers, body: proof })
  const rows = await scene.server.deps.database.query(sql`select from identities where subject = 'ann'`)
  assert.deepEqual(rows, [])
})
