import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GroupRoles } from '@foyer/sdk/api/group-roles'
import { sql } from '#src/kernel/sql/sql.ts'
import { startGroupScene } from '#test/sign-in/group-scene.ts'

test('OIDC-16: spaces use the groups that the setting of the provider allows, and no others', async (context) => {
  const groupScene = await startGroupScene({ spaceGroups: ['staff', 'crew'] })
  context.after(() => groupScene.close())
  const { database } = groupScene.scene.server.deps
  const { owner, space, ...place } = await groupScene.newPlace()
  const [staff, board] = [await place.newRole(), await place.newRole()]
  await assert.rejects(place.map('board', board), { status: 403, code: 'group_not_allowed' })
  await place.map('staff', staff)
  const { id } = await place.map('crew', board)
  // As if the setting had allowed it then.
  await database.execute(sql`update group_roles set group_name = 'board' where id = ${id}`)
  const working = (await owner.client.api(GroupRoles).list(space.id)).map(({ is_working }) => is_working)
  assert.deepEqual(working, [true, false])
  await place.logInWithGroups(['staff', 'board'])
  assert.deepEqual(await place.rolesOf(), [staff])
  await owner.client.roles.assign(space.id, place.ann.answer.user.id, board)
  await place.logInWithGroups([])
  assert.deepEqual(await place.rolesOf(), [board], 'nor does it take one')
})

test('OIDC-16: with an empty list, spaces use no groups', async (context) => {
  const groupScene = await startGroupScene({ spaceGroups: [] })
  context.after(() => groupScene.close())
  const place = await groupScene.newPlace()
  await assert.rejects(place.map('staff', await place.newRole()), { code: 'group_not_allowed' })
})
