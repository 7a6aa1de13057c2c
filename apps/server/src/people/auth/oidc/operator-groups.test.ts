import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { credentialOf, emailOf, send, signIn } from '#test/scenes/accounts.ts'
import { logInAs, type SignInScene, signUpAs, startSignInScene } from '#test/sign-in/scene.ts'

type Groups = unknown

const claims = (name: string, groups: Groups) => ({ email: emailOf(name), email_verified: true, groups })
const accounts = {
  ann: claims('ann', ['staff', 'chat-operators']),
  bea: claims('bea', ['staff']),
  cleo: claims('cleo', 'chat-operators'),
  dora: claims('dora', { 'chat-operators': true }),
  emma: claims('emma', ['chat-operators']),
}

let scene: SignInScene
let first: Awaited<ReturnType<typeof signIn>>

before(async () => {
  scene = await startSignInScene(accounts, {}, { operatorGroups: ['chat-operators'] })
  first = await signIn(scene.server, 'root')
})
after(() => scene.close())

async function isOperator(userId: string): Promise<boolean> {
  const rows = await scene.server.deps.database.query(sql`select from operators where user_id = ${userId}`)
  return rows.length > 0
}

async function logOf(userId: string) {
  const path = `/api/operator/log?target_id=${userId}`
  const { body } = await send(scene.server, 'GET', path, { headers: credentialOf(first) })
  const { entries }: { entries: { action: string; actor_id: string | null; details: unknown }[] } =
    Object(body)
  return entries.map(({ action, actor_id, details }) => ({ action, actor_id, details }))
}

const entry = (action: string) => ({ action, actor_id: null, details: { provider: 'Main login' } })

test('OIDC-9: a member of the group becomes an operator by a login, and is none after the next without it', async () => {
  const { answer } = await signUpAs(scene, 'ann')
  const { id } = answer.user
  assert.equal(await isOperator(id), true)
  assert.deepEqual(await logOf(id), [entry('operator_grant')])
  accounts.ann.groups = ['staff']
  const login = await logInAs(scene, 'ann')
  assert.equal(await isOperator(id), false)
  assert.equal(login.answer.user.flags & 1, 0)
  assert.deepEqual(await logOf(id), [entry('operator_revoke'), entry('operator_grant')])
  accounts.ann.groups = ['chat-operators']
  await logInAs(scene, 'ann')
  assert.equal(await isOperator(id), true)
})

test('OIDC-9: others do not, whatever the claim looks like', async () => {
  assert.equal(await isOperator((await signUpAs(scene, 'bea')).answer.user.id), false)
  assert.equal(await isOperator((await signUpAs(scene, 'cleo')).answer.user.id), true)
  assert.equal(await isOperator((await signUpAs(scene, 'dora')).answer.user.id), false)
})

test('OIDC-9: a provider takes nothing that a person granted', async () => {
  const { id } = (await logInAs(scene, 'bea')).answer.user
  const grant = await send(scene.server, 'PUT', `/api/operator/operators/${id}`, {
    headers: credentialOf(first),
  })
  assert.ok(grant.status < 300, grant.text)
  await logInAs(scene, 'bea')
  assert.equal(await isOperator(id), true)
})

test('OIDC-9: the last operator stays one', async () => {
  const { id } = (await signUpAs(scene, 'emma')).answer.user
  await scene.server.deps.database.execute(sql`delete from operators where user_id <> ${id}`)
  accounts.emma.groups = []
  await logInAs(scene, 'emma')
  assert.equal(await isOperator(id), true)
})
