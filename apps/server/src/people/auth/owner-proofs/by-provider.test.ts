import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { codeOf, emailOf, send } from '#test/scenes/accounts.ts'
import { awaitSteadyPeriod, codeAt } from '#test/scenes/second-factors.ts'
import { TEST_PASSWORD } from '#test/server.ts'
import { beginProof, PROOFS, proveAs } from '#test/sign-in/proofs.ts'
import {
  logInAs,
  type SignedIn,
  type SignInScene,
  signUpAs,
  startSignInScene,
  statusIn,
} from '#test/sign-in/scene.ts'

const factors = '/api/users/@me/second-factors'

let scene: SignInScene
let ann: SignedIn
let name: string
let count = 0

const namesOf = (word: string) => Array.from({ length: 20 }, (_, index) => `${word}${index + 1}`)

before(async () => {
  const names = [...namesOf('ann'), ...namesOf('bob')]
  const claims = (each: string) => ({ email: emailOf(each), email_verified: true, preferred_username: each })
  scene = await startSignInScene(Object.fromEntries(names.map((each) => [each, claims(each)])))
})
after(() => scene.close())
beforeEach(async () => {
  count += 1
  name = `ann${count}`
  ann = await signUpAs(scene, name)
})

function prepareApp({ headers }: SignedIn, body: unknown) {
  return send(scene.server, 'POST', `${factors}/totp`, { headers, body })
}

function deleteMe({ headers }: SignedIn, body: unknown) {
  return codeOf(send(scene.server, 'DELETE', '/api/users/@me', { headers, body }))
}

async function giveProof(owner = ann, account = name): Promise<string> {
  const { proof, page } = await proveAs(scene, owner, account)
  assert.equal(page.searchParams.get('proven'), 'main', `${page}`)
  return proof
}

test('OIDC-14: signing in again at the provider counts instead of the password', async () => {
  const { headers } = ann
  const ways = await send(scene.server, 'GET', PROOFS, { headers })
  const providers = [{ id: 'main', name: 'Main login' }]
  assert.deepEqual(ways.body, { password: false, code: false, passkey: false, providers })
  assert.deepEqual(await deleteMe(ann, {}), [400, 'no_password'])
  const email = { email: emailOf(`new.${name}`), proof: await giveProof() }
  const mail = send(scene.server, 'POST', '/api/auth/change-email/send', { headers, body: email })
  assert.deepEqual(await codeOf(mail), [204, null])
  assert.equal((await prepareApp(ann, { proof: await giveProof() })).status, 200)
  const unlinking = { headers, body: { proof: await giveProof() } }
  const unlink = send(scene.server, 'DELETE', '/api/users/@me/identities/main', unlinking)
  assert.deepEqual(await codeOf(unlink), [400, 'last_way_in'])
  assert.deepEqual(await deleteMe(ann, { proof: await giveProof() }), [204, null])
  assert.equal(await statusIn(scene, ann), 401)
})

test('OIDC-14: the provider asks a person who is logged in there to log in once more', async () => {
  const { browser, url } = await beginProof(scene.server, ann)
  const { searchParams } = new URL(url)
  assert.deepEqual([searchParams.get('prompt'), searchParams.get('max_age')], ['login', '0'])
  browser.cookies.set('_session', ann.browser.cookies.get('_session') ?? { value: '', path: '/' })
  const page = await browser.follow(url, name)
  assert.equal(page.searchParams.get('proven'), 'main')
})

test('OIDC-14: a first password can be set by it', async () => {
  const { headers } = ann
  const body = { new_password: TEST_PASSWORD, proof: await giveProof() }
  const change = send(scene.server, 'PATCH', '/api/users/@me/password', { headers, body })
  assert.deepEqual(await codeOf(change), [204, null])
  const start = send(scene.server, 'POST', `${PROOFS}/providers/main/start`, { headers })
  assert.deepEqual(await codeOf(start), [400, 'password_required'])
  const ways = await send(scene.server, 'GET', PROOFS, { headers })
  assert.deepEqual(ways.body, { password: true, code: false, passkey: false, providers: [] })
  assert.deepEqual(await deleteMe(ann, { password: TEST_PASSWORD }), [204, null])
})

test('FACTOR-13: a proof counts once, also of many requests at once', async () => {
  const proof = await giveProof()
  const answers = await Promise.all(Array.from({ length: 10 }, () => prepareApp(ann, { proof })))
  const codes = answers.map(({ code }) => code)
  assert.equal(codes.filter((code) => code === null).length, 1)
  assert.equal(codes.filter((code) => code === 'proof_ended').length, 9)
})

test('FACTOR-13: it counts neither in another session nor for another account', async () => {
  const proof = await giveProof()
  const elsewhere = await logInAs(scene, name)
  const bob = await signUpAs(scene, `bob${count}`)
  for (const other of [elsewhere, bob])
    assert.deepEqual(await deleteMe(other, { proof }), [400, 'proof_ended'])
  assert.deepEqual(await deleteMe(ann, { proof: '' }), [400, 'proof_ended'])
  assert.equal((await prepareApp(ann, { proof })).status, 200, 'the attempts of others do not use it up')
})

test('FACTOR-13: it ends after five minutes', async () => {
  const { database } = scene.server.deps
  const proof = await giveProof()
  const rest = sql`select extract(epoch from expires_at - now())::integer as seconds from owner_proofs
    where user_id = ${ann.answer.user.id}`
  const [row] = await database.query<{ seconds: number }>(rest)
  assert.ok(row !== undefined && row.seconds > 290 && row.seconds <= 300, `${row?.seconds}`)
  await database.execute(
    sql`update owner_proofs set expires_at = now() where user_id = ${ann.answer.user.id}`,
  )
  assert.deepEqual(await deleteMe(ann, { proof }), [400, 'proof_ended'])
})

test('OIDC-14: it does not count before the provider has confirmed it', async () => {
  const { proof, browser, url } = await beginProof(scene.server, ann)
  assert.deepEqual(await deleteMe(ann, { proof }), [400, 'proof_ended'])
  await browser.follow(url, name)
  assert.deepEqual(await deleteMe(ann, { proof }), [204, null])
})

test('OIDC-14: a login of another person, or of none here, confirms nothing', async () => {
  await signUpAs(scene, `bob${count}`)
  for (const account of [`bob${count}`, 'bob20']) {
    const { proof, page } = await proveAs(scene, ann, account)
    assert.equal(page.searchParams.get('error'), 'other_identity')
    assert.deepEqual(await deleteMe(ann, { proof }), [400, 'proof_ended'])
  }
})

test('OIDC-14: a session that ended in between confirms nothing', async () => {
  const { browser, url } = await beginProof(scene.server, ann)
  await send(scene.server, 'POST', '/api/auth/logout', { headers: ann.headers })
  const page = await browser.follow(url, name)
  assert.equal(page.searchParams.get('error'), 'authentication_required')
})

test('OIDC-14: an account without an identity there, and an unknown provider, begin nothing', async () => {
  const { headers, answer } = ann
  await scene.server.deps.database.execute(sql`delete from identities where user_id = ${answer.user.id}`)
  const start = (id: string) =>
    codeOf(send(scene.server, 'POST', `${PROOFS}/providers/${id}/start`, { headers }))
  assert.deepEqual(await start('main'), [404, 'unknown_identity'])
  assert.deepEqual(await start('other'), [404, 'unknown_provider'])
})

test('FACTOR-13: after a provider, a code is needed, too, and a missing one does not use up the proof', async () => {
  await awaitSteadyPeriod()
  const { headers } = ann
  const { secret } = JSON.parse((await prepareApp(ann, { proof: await giveProof() })).text)
  const confirmation = { headers, body: { code: codeAt(secret, -1) } }
  await send(scene.server, 'POST', `${factors}/totp/confirm`, confirmation)
  const proof = await giveProof()
  assert.deepEqual(await deleteMe(ann, { proof }), [400, 'code_required'])
  assert.deepEqual(await deleteMe(ann, { proof, code: '000000' }), [400, 'wrong_code'])
  assert.deepEqual(await deleteMe(ann, { proof, code: codeAt(secret, 0) }), [204, null])
  const rows = await scene.server.deps.database.query(
    sql`select from owner_proofs where user_id = ${ann.answer.user.id}`,
  )
  assert.deepEqual(rows, [], 'proofs go with the account')
})
