import type { Attack } from '../attack.ts'
import { makeSpaces } from '../owned-spaces.ts'

const LANES = 8

/** Lists the mentions of an account that can view 100,000 rooms. */
export const mentionLists: Attack = {
  name: 'mention-lists',
  prepare: ({ foyer, isSmoke }) =>
    makeSpaces(foyer, { prefix: 'seeker', people: 1, spaces: isSmoke ? 2 : 200, rooms: isSmoke ? 10 : 500 }),
  run: (attacker, signal) =>
    attacker.askInLanes(LANES, signal, () => ({
      method: 'GET',
      path: '/api/users/@me/mentions?limit=50',
      identity: attacker.person,
    })),
}
