import { MAX_APPLICATIONS } from '@foyer/protocol/limits'
import { HttpClient } from '../../load/http-client.ts'
import type { Attack, Preparation } from '../attack.ts'
import type { Fixture } from '../fixture.ts'
import { makeSpaces } from '../owned-spaces.ts'

const LANES = 64

/** Sends messages with as many bots as an account may have. Each bot has the limits of an account. */
export const bots: Attack = {
  name: 'bots',
  async prepare(preparation) {
    const { foyer, isSmoke } = preparation
    const fixture = await makeSpaces(foyer, { prefix: 'botmaster', people: 1, spaces: 1, rooms: 20 })
    return { ...fixture, secrets: await makeBots(preparation, fixture, isSmoke ? 2 : MAX_APPLICATIONS) }
  },
  run: (attacker, signal) =>
    attacker.askInLanes(LANES, signal, (turn) => ({
      method: 'POST',
      path: `/api/rooms/${attacker.room(Math.floor(turn / attacker.fixture.secrets.length))}/messages`,
      headers: { authorization: `Bot ${attacker.fixture.secrets[turn % attacker.fixture.secrets.length]}` },
      body: JSON.stringify({ content: '*a '.repeat(600) }),
    })),
}

interface Made {
  application: { bot: { id: string } }
  token: string
}

/** Returns the bots' tokens. */
async function makeBots({ foyer }: Preparation, fixture: Fixture, count: number): Promise<string[]> {
  const client = new HttpClient(foyer.port)
  const [identity] = fixture.people
  const tokens: string[] = []
  while (tokens.length < count) {
    const body = JSON.stringify({ name: `Bot ${tokens.length}` })
    const answer = await client.ask({ method: 'POST', path: '/api/applications', identity, body })
    const made: Made = JSON.parse(answer.body)
    const path = `/api/spaces/${fixture.spaceIds[0]}/bots/${made.application.bot.id}`
    const added = await client.ask({ method: 'PUT', path, identity })
    if (added.status !== 200) throw new Error(`a bot was refused: ${added.status} ${added.body}`)
    tokens.push(made.token)
  }
  client.close()
  return tokens
}
