import assert from 'node:assert/strict'
import type { CreateGroupRoleBody, GroupRole } from '@foyer/protocol/group-roles'
import { GroupRoles } from '@foyer/sdk/api/group-roles'
import type { ProviderSettings } from '#src/kernel/oidc/settings.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { emailOf, send } from '../scenes/accounts.ts'
import { createPerson, type Person } from '../scenes/people.ts'
import { makeSpace, type TestSpace } from '../scenes/spaces.ts'
import { until } from '../until.ts'
import { logInAs, type SignedIn, type SignInScene, signUpAs, startSignInScene } from './scene.ts'

/** A server with a provider whose users' groups can be changed. */
export interface GroupScene {
  scene: SignInScene
  newPlace(): Promise<GroupPlace>
  close(): Promise<void>
}

/** A space, and a member who logs in through the provider. */
export interface GroupPlace {
  owner: Person
  space: TestSpace
  ann: SignedIn
  /** Name of the member at the provider. */
  name: string
  join(space: TestSpace): Promise<void>
  newRole(): Promise<string>
  map(group: string, role: string, by?: Person, rest?: Partial<CreateGroupRoleBody>): Promise<GroupRole>
  /** Changes the member's groups at the provider; undefined leaves out the claim. */
  setGroups(groups: unknown): void
  logInWithGroups(groups: unknown): Promise<void>
  awaitFollowed(): Promise<void>
  rolesOf(space?: TestSpace): Promise<readonly string[]>
}

export async function startGroupScene(settings: Partial<ProviderSettings> = {}): Promise<GroupScene> {
  const people: Record<string, Record<string, unknown>> = {}
  const scene = await startSignInScene(people, {}, settings)
  let count = 0
  const newPlace = () => {
    count += 1
    return placeIn(scene, people, count)
  }
  return { scene, newPlace, close: () => scene.close() }
}

async function placeIn(
  scene: SignInScene,
  people: Record<string, Record<string, unknown>>,
  count: number,
): Promise<GroupPlace> {
  const name = `ann${count}`
  people[name] = { email: emailOf(name), email_verified: true, preferred_username: name }
  const owner = await createPerson(scene.server, `owner${count}`)
  const ann = await signUpAs(scene, name)
  const space = await makeSpace(owner)
  const join = async ({ id, general }: TestSpace) => {
    const { code } = await owner.client.invites.create(id, general)
    const { status } = await send(scene.server, 'POST', `/api/invites/${code}`, { headers: ann.headers })
    assert.equal(status, 200)
  }
  await join(space)
  const setGroups = (groups: unknown) => {
    people[name] = { ...people[name], groups }
  }
  return {
    ...{ owner, space, ann, name, join, setGroups },
    newRole: async () => (await owner.client.roles.create(space.id, { name: 'role' })).id,
    map: (group, role_id, by = owner, rest = {}) =>
      by.client.api(GroupRoles).create(space.id, { provider: 'main', group, role_id, ...rest }),
    async logInWithGroups(groups) {
      setGroups(groups)
      await logInAs(scene, name)
      await awaitFollowed(scene)
    },
    awaitFollowed: () => awaitFollowed(scene),
    rolesOf: async ({ id } = space) => (await owner.client.members.get(id, ann.answer.user.id)).roles,
  }
}

async function awaitFollowed({ server }: SignInScene): Promise<void> {
  const isDone = async () => {
    const [job] = await server.deps.database.query<{ last_error: string | null }>(
      sql`select last_error from graphile_worker.jobs where task_identifier in ('follow_groups', 'take_group_roles')`,
    )
    assert.equal(job?.last_error ?? null, null)
    return job === undefined
  }
  await until(isDone, 'the roles follow the groups')
}
