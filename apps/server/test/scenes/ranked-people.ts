import type { RunningServer } from '#src/start.ts'
import { createApplicationBot, createPerson, type Person } from './people.ts'
import { assignRole, insertRole } from './space-rows.ts'
import { makeSpace, type TestSpace } from './spaces.ts'

/** People as they stand to `actor` in a space. */
export interface RankedPeople {
  owner: Person
  above: Person
  actor: Person
  /** With the actor's roles. */
  equal: Person
  /** A bot with the actor's roles. */
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

/** A new space of them all but the outsider, where the actor's role has the permissions and the one above it none. */
export async function makeRankedSpace(
  server: RunningServer,
  { owner, above, actor, equal, bot, below }: RankedPeople,
  permissions: number,
): Promise<TestSpace> {
  const space = await makeSpace(owner, [above, actor, equal, below])
  await owner.client.members.addBot(space.id, bot.id)
  const low = await insertRole(server, space.id, { permissions, position: 1 })
  const high = await insertRole(server, space.id, { permissions: 0, position: 2 })
  await assignRole(server, { spaceId: space.id, userId: above.id, roleId: high })
  for (const { id } of [actor, equal, bot])
    await assignRole(server, { spaceId: space.id, userId: id, roleId: low })
  return space
}
