import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { AuditLog } from '@foyer/sdk/api/audit-log'
import { enqueueFirst } from '#src/kernel/jobs.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { awaitMail, tokenIn } from '#test/outside/mailbox.ts'
import { codeOf, emailOf, send } from '#test/scenes/accounts.ts'
import { TEST_PASSWORD } from '#test/server.ts'
import { type GroupPlace, type GroupScene, startGroupScene } from '#test/sign-in/group-scene.ts'
import { goOn, type SignInScene } from '#test/sign-in/scene.ts'

let groupScene: GroupScene
let scene: SignInScene
let place: GroupPlace
let userId: string

before(async () => {
  groupScene = await startGroupScene()
  scene = groupScene.scene
})
after(() => groupScene.close())
beforeEach(async () => {
  place = await groupScene.newPlace()
  userId = place.ann.answer.user.id
  const hash = await scene.server.deps.passwords.hash(TEST_PASSWORD, 'test')
  await scene.server.deps.database.execute(sql`update users set password_hash = ${hash} where id = ${userId}`)
})

async function unlink(): Promise<void> {
  const request = { headers: place.ann.headers, body: { password: TEST_PASSWORD } }
  const answer = send(scene.server, 'DELETE', '/api/users/@me/identities/main', request)
  assert.deepEqual(await codeOf(answer), [204, null])
  await place.awaitFollowed()
}

/** Logs in with the password, and links the identity again. */
async function linkAgain(password = TEST_PASSWORD): Promise<void> {
  const body = { email: place.ann.answer.user.username, password }
  assert.equal((await goOn(scene, await scene.arrive(place.name), 'link', body)).status, 200)
  await place.awaitFollowed()
}

test('OIDC-15: unlinking takes the roles that the groups gave, and no others', async () => {
  const { owner, space } = place
  const [given, kept, byHand] = [await place.newRole(), await place.newRole(), await place.newRole()]
  await place.map('staff', given)
  await place.map('staff', kept)
  await owner.client.roles.assign(space.id, userId, byHand)
  await owner.client.roles.assign(space.id, userId, kept)
  await place.logInWithGroups(['staff'])
  assert.deepEqual((await place.rolesOf()).toSorted(), [given, kept, byHand].toSorted())
  await unlink()
  assert.deepEqual((await place.rolesOf()).toSorted(), [kept, byHand].toSorted())
  const { entries } = await owner.client.api(AuditLog).list(space.id, { target_id: userId })
  const [{ action, actor_id, before: fields } = {}] = entries
  assert.deepEqual(
    [action, actor_id, fields],
    ['role_remove', null, { role_id: given, provider: 'Main login' }],
  )
})

test('OIDC-15: linked again, the identity has the roles of its groups, also if the work of unlinking is late', async () => {
  const role = await place.newRole()
  await place.map('staff', role)
  await place.logInWithGroups(['staff'])
  await unlink()
  assert.deepEqual(await place.rolesOf(), [])
  await linkAgain()
  assert.deepEqual(await place.rolesOf(), [role])
  const late = { user_id: userId, issuer: scene.provider.settings.issuer }
  await scene.server.deps.database.transaction((transaction) =>
    enqueueFirst(transaction, 'take_group_roles', late),
  )
  await place.awaitFollowed()
  assert.deepEqual(await place.rolesOf(), [role])
})

test('OIDC-15: an answer from before the unlinking gives nothing when it links again', async () => {
  const role = await place.newRole()
  await place.map('staff', role)
  place.setGroups(['staff'])
  const older = await scene.arrive(place.name)
  await place.logInWithGroups([])
  await unlink()
  const body = { email: place.ann.answer.user.username, password: TEST_PASSWORD }
  assert.equal((await goOn(scene, older, 'link', body)).status, 200)
  await place.awaitFollowed()
  assert.deepEqual(await place.rolesOf(), [])
})

test('WAYBACK-3: taking back a change takes the roles of an identity that was linked since', async () => {
  const role = await place.newRole()
  await place.map('staff', role)
  await unlink()
  const theirs = 'the password of a thief'
  const body = { password: TEST_PASSWORD, new_password: theirs }
  const { headers } = place.ann
  assert.equal((await send(scene.server, 'PATCH', '/api/users/@me/password', { headers, body })).status, 204)
  place.setGroups(['staff'])
  await linkAgain(theirs)
  assert.deepEqual(await place.rolesOf(), [role])
  const token = tokenIn(
    await awaitMail(scene.server, emailOf(place.name), { subject: 'Your password was changed' }),
  )
  const taken = { body: { token, password: 'a wholly new password' } }
  assert.equal((await send(scene.server, 'POST', '/api/auth/way-back', taken)).status, 204)
  await place.awaitFollowed()
  assert.deepEqual(await place.rolesOf(), [])
})
