import { Client } from '@foyer/sdk/client'
import type { Tokens } from '@foyer/sdk/rest'
import type { Person } from './person.ts'
import type { Stage } from './stage.ts'

/** Somebody who has an account already, and a client for what a story does not tell. */
export interface Settled {
  readonly person: Person
  readonly client: Client
  readonly id: string
}

/** An account without its forms, signed in to a browser of its own that shows nothing yet. */
export async function settle(stage: Stage, name: string): Promise<Settled> {
  const person = await stage.person(name)
  const client = new Client({ baseUrl: stage.program.url })
  const { user, ...tokens } = await client.auth.signin({
    username: name,
    email: `${name}@example.org`,
    password: person.password,
  })
  await signIn(person, tokens)
  return { person, client, id: user.id }
}

export async function befriend(one: Settled, other: Settled): Promise<void> {
  await one.client.friends.sendRequest(other.id)
  const [request] = await other.client.friends.listRequests()
  if (request === undefined) throw new Error('the friend request did not arrive')
  await other.client.friends.acceptRequest(request.id)
}

/** A new space of the first, in which all of them are. */
export async function gather(name: string, [host, ...guests]: readonly [Settled, ...Settled[]]) {
  const { space, rooms } = await host.client.spaces.create({ name })
  const general = rooms.find(({ name: roomName }) => roomName === 'general')
  if (general === undefined) throw new Error('the space has no room #general')
  const { code } = await host.client.invites.create(space.id, general.id)
  for (const { client } of guests) await client.invites.join(code)
  return { space, general }
}

/** As the client keeps them: the page is one of the server's that the client is not in. */
async function signIn({ page }: Person, tokens: Tokens): Promise<void> {
  await page.goto('/favicon.svg')
  await page.evaluate((stored) => localStorage.setItem('foyer.session', stored), JSON.stringify(tokens))
}
