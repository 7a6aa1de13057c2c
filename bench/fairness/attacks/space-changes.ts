import type { Attack } from '../attack.ts'
import { makeSpaces } from '../owned-spaces.ts'

const LANES = 32

/** Moves rooms of a large space from one end to the other, in parallel. */
export const spaceChanges: Attack = {
  name: 'space-changes',
  prepare: ({ foyer, isSmoke }) =>
    makeSpaces(foyer, {
      prefix: 'mover',
      people: 1,
      spaces: 1,
      rooms: isSmoke ? 20 : 500,
      overwrites: 5000,
    }),
  run: (attacker, signal) =>
    attacker.askInLanes(LANES, signal, (turn) => ({
      method: 'PATCH',
      path: `/api/spaces/${attacker.fixture.spaceIds[0]}/rooms/${attacker.room(turn * 37)}`,
      identity: attacker.person,
      body: JSON.stringify({ position: turn % 2 === 0 ? 0 : attacker.fixture.roomIds.length - 1 }),
    })),
}
