import { createECDH, randomBytes } from 'node:crypto'
import { HttpClient } from '../../load/http-client.ts'
import type { Attack, Preparation } from '../attack.ts'
import type { Fixture } from '../fixture.ts'
import { makeSpaces } from '../owned-spaces.ts'

const ACCOMPLICES = 9
/** Maximum number of push subscriptions per account. */
const SUBSCRIPTIONS = 20
/** A closed port: every push fails and is tried again. */
const ENDPOINT = 'http://127.0.0.6:9'
const MESSAGES_PER_SECOND = 2
/** A mention of everyone, and Markdown emphasis that begins over and over but never ends. */
const HOSTILE_TEXT = `@everyone ${'*a '.repeat(1300)}`

/** Mentions everyone, with endpoints that refuse pushes, in Markdown that is slow to read. */
export const pushes: Attack = {
  name: 'pushes',
  async prepare(preparation) {
    const people = 1 + (preparation.isSmoke ? 1 : ACCOMPLICES)
    const fixture = await makeSpaces(preparation.foyer, { prefix: 'pusher', people, spaces: 1, rooms: 10 })
    await subscribeAll(preparation, fixture)
    return fixture
  },
  run: (attacker, signal) =>
    attacker.askAtRate(MESSAGES_PER_SECOND, signal, (turn) => ({
      method: 'POST',
      path: `/api/rooms/${attacker.room(turn)}/messages`,
      identity: attacker.person,
      body: JSON.stringify({ content: HOSTILE_TEXT }),
    })),
}

async function subscribeAll({ foyer }: Preparation, { people }: Fixture): Promise<void> {
  const client = new HttpClient(foyer.port)
  const accomplices = people.slice(1)
  for (const identity of accomplices.flatMap((person) =>
    Array.from({ length: SUBSCRIPTIONS }, () => person),
  )) {
    const { status, body } = await client.ask({
      method: 'POST',
      path: '/api/users/@me/push-subscriptions',
      identity,
      body: JSON.stringify({ endpoint: `${ENDPOINT}/${randomBytes(8).toString('hex')}`, keys: makeKeys() }),
    })
    if (status !== 204) throw new Error(`a push subscription was refused: ${status} ${body}`)
  }
  client.close()
}

function makeKeys(): { p256dh: string; auth: string } {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return { p256dh: pair.getPublicKey().toString('base64url'), auth: randomBytes(16).toString('base64url') }
}
