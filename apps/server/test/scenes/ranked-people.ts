import type { RunningServer } from '#src/start.ts'
import { createApplicationBot, createPerson, type Person } from './people.ts'
import { assignRole, insertRole } from './space-rows.ts'
import { makeSpace, type TestSpace } from './spaces.ts'

/** Users of a space, named by how their rank compares to the rank of `actor`. */
export interface RankedPeople {
  owner: Person
  above: Person
  actor: Person
  /** Has the same roles as `actor`. */
  equal: Person
  /** A bot with the same roles as `actor`. */
  bot: Person
  below: Person
  outsider: Person
}

export async function createRankedPeople(server: RunningServer): Promise<RankedPeople> {
  const owner = await createPerson(server, 'owner')
  return {
    owner,
    above: await createPerson(server, 'above'),
    actor: await createPerson(server, 'actor'),
    equal: await createPerson(server, 'equal'),
    bot: await createApplicationBot(server, owner, { name: 'helper' }),
    below: await createPerson(server, 'below'),
    outsider: await createPerson(server, 'outsider'),
  }
}

/** Creates a space of all users but the outsider. The actor's role has the permissions and capabilities, the role above has none. */
export async function makeRankedSpace(
  server: RunningServer,
  { owner, above, actor, equal, bot, below }: RankedPeople,
  permissions: number,
  capabilities = 0,
): Promise<TestSpace> {
  const space = await makeSpace(owner, [above, actor, equal, below])
  await owner.client.members.addBot(space.id, bot.id)
  const low = await insertRole(server, space.id, { permissions, capabilities, position: 1 })
  const high = await insertRole(server, space.id, { permissions: 0, position: 2 })
  await assignRole(server, { spaceId: space.id, userId: above.id, roleId: high })
  for (const { id } of [actor, equal, bot])
    await assignRole(server, { spaceId: space.id, userId: id, roleId: low })
  return space
}
