import { Client } from '@foyer/sdk/client'
import type { Person } from './person.ts'
import { keepLogin } from './signed-in.ts'
import type { Stage } from './stage.ts'

/** A user with an account, and an SDK client for steps of a test outside the browser. */
export interface Settled {
  readonly person: Person
  readonly client: Client
  readonly id: string
}

/** Creates an account with the SDK and signs it in to a new browser, which does not show the client yet. */
export async function settle(stage: Stage, name: string): Promise<Settled> {
  return settlePerson(await stage.person(name))
}

/** Does the same as `settle` for a person whose browser is already open. */
export async function settlePerson(person: Person): Promise<Settled> {
  const { name, page, password } = person
  // Opens an address that does not run the client, so that the tokens are stored before the client starts.
  await page.goto('/favicon.svg')
  const client = new Client({ baseUrl: new URL(page.url()).origin })
  const { user, ...tokens } = await client.auth.signin({
    username: name,
    email: `${name}@example.org`,
    password,
  })
  await keepLogin(page, tokens)
  return { person, client, id: user.id }
}

/** Signs in an existing account in another browser. */
export async function signIn({ page, password }: Person, name: string): Promise<void> {
  await page.goto('/favicon.svg')
  const client = new Client({ baseUrl: new URL(page.url()).origin })
  const { user: _, ...tokens } = await client.auth.login({ email: name, password })
  await keepLogin(page, tokens)
}

/** Creates accounts for two people and opens #general of the host's new space in both browsers. */
export async function meet(host: Person, guest: Person): Promise<void> {
  const [first, second] = await Promise.all([settlePerson(host), settlePerson(guest)])
  const { space } = await gather('Sunday hikers', [first, second])
  for (const person of [host, guest]) {
    await person.page.goto(`/spaces/${space.id}`)
    await person.composer('general').waitFor()
  }
}

export async function befriend(one: Settled, other: Settled): Promise<void> {
  await one.client.friends.sendRequest(other.id)
  const [request] = await other.client.friends.listRequests()
  if (request === undefined) throw new Error('the friend request did not arrive')
  await other.client.friends.acceptRequest(request.id)
}

/** Creates a space of the first user, which all other users join. */
export async function gather(name: string, [host, ...guests]: readonly [Settled, ...Settled[]]) {
  const { space, rooms } = await host.client.spaces.create({ name })
  const general = rooms.find(({ name: roomName }) => roomName === 'general')
  if (general === undefined) throw new Error('the space has no room #general')
  const { code } = await host.client.invites.create(space.id, general.id)
  for (const { client } of guests) await client.invites.join(code)
  return { space, general, rooms }
}
