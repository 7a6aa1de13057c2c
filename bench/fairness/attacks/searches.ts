import { fillRoom, withDatabase } from '../../load/messages.ts'
import type { Attack } from '../attack.ts'
import { makeSpaces } from '../owned-spaces.ts'

const LANES = 16
const MESSAGES = 20_000
/** Prefixes of very common words, a word without matches, and combined filters. */
const QUERIES = [
  'query=me+nu+co+ab&limit=50',
  'query=message+zz&limit=50',
  'query=me&has=file&has=image&has=link&limit=50',
  'query=no+mu+as+mo+co+lo&pinned=true&limit=50',
]

/** Sends searches that match nearly every message, or none. */
export const searches: Attack = {
  name: 'searches',
  async prepare({ foyer, isSmoke }) {
    const fixture = await makeSpaces(foyer, { prefix: 'searcher', people: 1, spaces: 1, rooms: 4 })
    const [spaceId = ''] = fixture.spaceIds
    const authorIds = fixture.people.map(({ userId }) => userId)
    await withDatabase(foyer, async (database) => {
      for (const roomId of fixture.roomIds)
        await fillRoom(database, { spaceId, roomId, authorIds, count: isSmoke ? 40 : MESSAGES / 4 })
    })
    return fixture
  },
  run: (attacker, signal) =>
    attacker.askInLanes(LANES, signal, (turn) => ({
      method: 'GET',
      path: `/api/spaces/${attacker.fixture.spaceIds[0]}/messages/search?${QUERIES[turn % QUERIES.length]}`,
      identity: attacker.person,
    })),
}
