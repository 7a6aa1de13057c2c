import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { GroupRoles } from '@foyer/sdk/api/group-roles'
import { type Query, sql } from '#src/kernel/sql/sql.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { type GroupPlace, type GroupScene, startGroupScene } from '#test/sign-in/group-scene.ts'
import { goOn, type SignInScene } from '#test/sign-in/scene.ts'
import { until } from '#test/until.ts'

const OTHER = 'https://other.example.org'

let groupScene: GroupScene
let scene: SignInScene
let place: GroupPlace

before(async () => {
  groupScene = await startGroupScene()
  scene = groupScene.scene
})
after(() => groupScene.close())
beforeEach(async () => {
  place = await groupScene.newPlace()
})

const execute = (query: Query) => scene.server.deps.database.execute(query)

/** Redeems what the provider answered earlier. */
async function redeem(arrival: Parameters<typeof goOn>[1]): Promise<void> {
  assert.equal((await goOn(scene, arrival, 'login')).status, 200)
  await place.awaitFollowed()
}

function arriveWithGroups(groups: unknown) {
  place.setGroups(groups)
  return scene.arrive(place.name)
}

test('OIDC-15: a role that another provider gave is its own as long as it can take it', async () => {
  const { space, ann, owner } = place
  const userId = ann.answer.user.id
  const role = await place.newRole()
  const { id } = await place.map('staff', role)
  await owner.client.roles.assign(space.id, userId, role)
  await execute(sql`update member_roles set issuer = ${OTHER} where role_id = ${role}`)
  await execute(
    sql`insert into identities (issuer, subject, user_id) values (${OTHER}, ${place.name}, ${userId})`,
  )
  await execute(sql`
    insert into group_roles (space_id, id, role_id, issuer, group_name, set_by)
    select space_id, gen_random_uuid(), role_id, ${OTHER}, group_name, set_by from group_roles where id = ${id}`)
  await place.logInWithGroups([])
  assert.deepEqual(await place.rolesOf(), [role])
  await execute(sql`delete from identities where issuer = ${OTHER} and user_id = ${userId}`)
  await place.logInWithGroups([])
  assert.deepEqual(await place.rolesOf(), [], 'the other one is not linked any more')
})

test('OIDC-15: a role of another provider without an entry goes over to this one', async () => {
  const { space, ann, owner } = place
  const userId = ann.answer.user.id
  const role = await place.newRole()
  await place.map('staff', role)
  await owner.client.roles.assign(space.id, userId, role)
  await execute(sql`update member_roles set issuer = ${OTHER} where role_id = ${role}`)
  await execute(
    sql`insert into identities (issuer, subject, user_id) values (${OTHER}, ${place.name}, ${userId})`,
  )
  await place.logInWithGroups(['staff'])
  const [given] = await scene.server.deps.database.query<{ issuer: string }>(
    sql`select issuer from member_roles where role_id = ${role}`,
  )
  assert.equal(given?.issuer, scene.provider.settings.issuer)
  await place.logInWithGroups([])
  assert.deepEqual(await place.rolesOf(), [])
})

test('OIDC-15: an answer of the provider that is used late changes nothing after a newer one', async () => {
  const role = await place.newRole()
  await place.map('staff', role)
  const older = await arriveWithGroups(['staff'])
  await place.logInWithGroups([])
  await redeem(older)
  assert.deepEqual(await place.rolesOf(), [])
})

test('OIDC-15: nor does one from before the identity was linked', async () => {
  const role = await place.newRole()
  await place.map('staff', role)
  const older = await arriveWithGroups(['staff'])
  await execute(sql`
    with unlinked as (delete from identities where user_id = ${place.ann.answer.user.id} returning *)
    select * from unlinked`)
  await execute(sql`
    insert into identities (issuer, subject, user_id)
    values (${scene.provider.settings.issuer}, ${place.name}, ${place.ann.answer.user.id})`)
  await redeem(older)
  assert.deepEqual(await place.rolesOf(), [])
})

test('OIDC-15: an entry that is newer than the answer takes no role, nor does a space that was joined since', async () => {
  const { owner, space, ann } = place
  const [first, role] = [await place.newRole(), await place.newRole()]
  await place.map('others', first)
  await owner.client.roles.assign(space.id, ann.answer.user.id, role)
  const joined = await makeSpace(owner)
  const there = (await owner.client.roles.create(joined.id, { name: 'role' })).id
  await owner.client.api(GroupRoles).create(joined.id, { provider: 'main', group: 'staff', role_id: there })
  const arrival = await arriveWithGroups(['staff', 'late'])
  await place.map('late', role)
  await place.join(joined)
  await owner.client.roles.assign(joined.id, ann.answer.user.id, there)
  await redeem(arrival)
  assert.deepEqual([await place.rolesOf(), await place.rolesOf(joined)], [[role], [there]])
})

test('OIDC-15: groups that only spaces of others name leave room for those of the member', async () => {
  const role = await place.newRole()
  await place.map('z staff', role)
  const other = await groupScene.newPlace()
  await nameGroups(other, 101)
  await place.logInWithGroups([...numbered(101), 'z staff'])
  assert.deepEqual(await place.rolesOf(), [role])
})

test('OIDC-15: groups for which there is no room take no role', async () => {
  const [last, first] = [await place.newRole(), await place.newRole()]
  await place.map('z staff', last)
  await place.map('a staff', first)
  await nameGroups(place, 101)
  await place.logInWithGroups(['z staff'])
  assert.deepEqual(await place.rolesOf(), [last])
  await place.logInWithGroups([...numbered(101), 'a staff', 'z staff'])
  assert.deepEqual((await place.rolesOf()).toSorted(), [last, first].toSorted())
})

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `m ${index}`)

async function nameGroups({ newRole, map }: GroupPlace, count: number): Promise<void> {
  const role = await newRole()
  const { id } = await map('m', role)
  await execute(sql`
    insert into group_roles (space_id, id, role_id, issuer, group_name, set_by)
    select space_id, gen_random_uuid(), role_id, issuer, name, gen_random_uuid()
    from group_roles, unnest(${numbered(count)}::text[]) as name where id = ${id}`)
}

test('OIDC-15: a space that fails does not hold up the others', async () => {
  const { owner, space } = place
  const other = await makeSpace(owner)
  await place.join(other)
  const role = await place.newRole()
  const there = (await owner.client.roles.create(other.id, { name: 'role' })).id
  await place.map('staff', role)
  await owner.client.api(GroupRoles).create(other.id, { provider: 'main', group: 'staff', role_id: there })
  const [failing = '', working] = [space.id, other.id].toSorted()
  await execute(sql`
    create function refuse_role() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`)
  const trigger = `create trigger refused before insert on member_roles for each row when (new.space_id = '${failing}')
    execute function refuse_role()`
  await execute({ name: 'refuse roles', text: trigger, values: [] })
  const arrival = await arriveWithGroups(['staff'])
  assert.equal((await goOn(scene, arrival, 'login')).status, 200)
  const hasRole = async () => (await place.rolesOf(working === space.id ? space : other)).length === 1
  await until(hasRole, 'the other space has given its role')
  await execute(sql`drop function refuse_role cascade`)
  await execute(sql`select graphile_worker.reschedule_jobs(array(
    select id from graphile_worker.jobs where task_identifier = 'follow_groups'), now(), null, 0)`)
  const hasBoth = async () => (await place.rolesOf()).length + (await place.rolesOf(other)).length === 2
  await until(hasBoth, 'the job runs again')
})
