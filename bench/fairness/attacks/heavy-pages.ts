import { sql } from '../../../apps/server/src/kernel/sql/sql.ts'
import { withDatabase } from '../../load/messages.ts'
import type { Foyer } from '../../server/foyer.ts'
import type { Attack } from '../attack.ts'
import type { Attacker } from '../attacker.ts'
import type { Fixture } from '../fixture.ts'
import { makeSpaces } from '../owned-spaces.ts'

const LANES = 4
const MEMBERS = 95
const MESSAGES = 100

/** Reads pages of history in which every message mentions 95 users. */
export const heavyPages: Attack = {
  name: 'heavy-pages',
  prepare: ({ foyer }) => makeHeavyRoom(foyer, 'reader'),
  run: (attacker, signal) =>
    attacker.askInLanes(LANES, signal, () => ({
      method: 'GET',
      path: pathOfPage(attacker),
      identity: attacker.person,
    })),
}

/** Creates a space with a room whose newest page is as long as it can be. */
export async function makeHeavyRoom(foyer: Foyer, prefix: string): Promise<Fixture> {
  const fixture = await makeSpaces(foyer, { prefix, people: MEMBERS, spaces: 1, rooms: 1 })
  const { people, spaceIds, roomIds } = fixture
  const [userIds, spaceId, roomId] = [people.map(({ userId }) => userId), spaceIds[0], roomIds[0]]
  await withDatabase(foyer, async (database) => {
    await database.execute(sql`
      insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at, mention_ids)
      select ${spaceId}, ${roomId}, uuidv7(), seq, ${userIds[0]}, 'All of you!', now(), ${userIds}::uuid[]
      from generate_series(1, ${MESSAGES}::integer) seq`)
    await database.execute(sql`
      update message_heads set last_seq = ${MESSAGES}, last_message_id = (
        select id from messages where tenant_id = ${spaceId} and channel_id = ${roomId} and seq = ${MESSAGES})
      where tenant_id = ${spaceId} and channel_id = ${roomId}`)
  })
  return fixture
}

export function pathOfPage(attacker: Attacker): string {
  return `/api/rooms/${attacker.room(0)}/messages?limit=${MESSAGES}`
}
