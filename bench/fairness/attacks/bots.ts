import type { Attack } from '../attack.ts'
import type { Attacker } from '../attacker.ts'
import { makeBots } from '../owned-bots.ts'
import { makeSpaces } from '../owned-spaces.ts'
import { makeHeavyRoom, pathOfPage } from './heavy-pages.ts'
import { identifyAgain, makeLargeSpaces } from './identifies.ts'

const LANES = 64

/** Sends messages with as many bots as an account may have. Each bot has the limits of an account. */
export const bots: Attack = {
  name: 'bots',
  async prepare(preparation) {
    const { foyer } = preparation
    const fixture = await makeSpaces(foyer, { prefix: 'botmaster', people: 1, spaces: 1, rooms: 20 })
    return { ...fixture, secrets: await makeBots(preparation, fixture) }
  },
  run: (attacker, signal) =>
    attacker.askInLanes(LANES, signal, (turn) => ({
      method: 'POST',
      path: `/api/rooms/${attacker.room(Math.floor(turn / attacker.fixture.secrets.length))}/messages`,
      headers: { authorization: `Bot ${tokenOf(attacker, turn)}` },
      body: JSON.stringify({ content: '*a '.repeat(600) }),
    })),
}

/** Reads pages like the attack `heavy-pages`, but with bots. */
export const botPages: Attack = {
  name: 'bot-pages',
  async prepare(preparation) {
    const fixture = await makeHeavyRoom(preparation.foyer, 'librarian')
    return { ...fixture, secrets: await makeBots(preparation, fixture) }
  },
  run: (attacker, signal) =>
    attacker.askInLanes(LANES, signal, (turn) => ({
      method: 'GET',
      path: pathOfPage(attacker),
      headers: { authorization: `Bot ${tokenOf(attacker, turn)}` },
    })),
}

/** Identifies over and over like the attack `identifies`, but with bots. */
export const botIdentifies: Attack = {
  name: 'bot-identifies',
  async prepare(preparation) {
    const fixture = await makeLargeSpaces(preparation, 'magnate')
    return { ...fixture, secrets: await makeBots(preparation, fixture) }
  },
  async run(attacker, signal) {
    const { secrets } = attacker.fixture
    await Promise.all(secrets.map((token) => identifyAgain(attacker, signal, { token })))
  },
}

function tokenOf({ fixture: { secrets } }: Attacker, turn: number): string {
  return secrets[turn % secrets.length] ?? ''
}
