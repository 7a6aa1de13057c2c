import { HttpClient } from '../../load/http-client.ts'
import type { Attack } from '../attack.ts'
import { makeSpaces } from '../owned-spaces.ts'

const ROOMS = 40
/** Maximum number of webhooks per room. Each has its own limit of 30 messages per minute. */
const WEBHOOKS_PER_ROOM = 15
const LANES = 64
const embed = {
  title: 'x'.repeat(200),
  fields: Array.from({ length: 10 }, () => ({ name: '*'.repeat(40), value: '_'.repeat(40) })),
}
const body = JSON.stringify({ content: '*a '.repeat(600), embeds: [embed, embed, embed, embed] })

/** Posts through hundreds of webhooks of one account. */
export const webhooks: Attack = {
  name: 'webhooks',
  async prepare({ foyer, isSmoke }) {
    const rooms = isSmoke ? 1 : ROOMS
    const fixture = await makeSpaces(foyer, { prefix: 'integrator', people: 1, spaces: 1, rooms })
    const client = new HttpClient(foyer.port)
    const paths: string[] = []
    for (const roomId of fixture.roomIds.flatMap((id) =>
      Array.from({ length: WEBHOOKS_PER_ROOM }, () => id),
    )) {
      const [identity] = fixture.people
      const path = `/api/rooms/${roomId}/webhooks`
      const made = await client.ask({
        method: 'POST',
        path,
        identity,
        body: JSON.stringify({ name: 'Hook' }),
      })
      const { id, token }: { id: string; token: string } = JSON.parse(made.body)
      paths.push(`/api/webhooks/${id}/${token}?wait=true`)
    }
    client.close()
    return { ...fixture, secrets: paths }
  },
  run: (attacker, signal) =>
    attacker.askInLanes(LANES, signal, (turn) => ({
      method: 'POST',
      path: attacker.fixture.secrets[turn % attacker.fixture.secrets.length] ?? '',
      body,
    })),
}
