import type { Passkey } from '@foyer/protocol/passkeys'
import { Passkeys } from '@foyer/sdk/api/passkeys'
import { Client } from '@foyer/sdk/client'
import { sql } from '#src/kernel/sql/sql.ts'
import { type Lies, SoftwareAuthenticator } from '../outside/authenticator.ts'
import { TEST_PASSWORD, type TestServer } from '../server.ts'
import { type RawAnswer, send } from './accounts.ts'
import { createPerson, type Person } from './people.ts'

/** PUBLIC_URL of the server. Tests reach it by another address, as a proxy does. */
export const PASSKEY_ORIGIN = 'https://chat.example.org'

export const proof = { password: TEST_PASSWORD }

/** Creates a person with TEST_PASSWORD. */
export async function createOwner(server: TestServer, name: string): Promise<Person> {
  const person = await createPerson(server, name)
  const hash = await server.deps.passwords.hash(TEST_PASSWORD, name)
  await server.deps.database.execute(sql`update users set password_hash = ${hash} where id = ${person.id}`)
  return person
}

export function passkeysOf({ client }: Pick<Person, 'client'>): Passkeys {
  return client.api(Passkeys)
}

/** Adds a passkey of a new device. */
export async function addPasskey(
  owner: Person,
  name = 'Phone',
  device = new SoftwareAuthenticator(PASSKEY_ORIGIN),
): Promise<{ device: SoftwareAuthenticator; passkey: Passkey }> {
  const options = await passkeysOf(owner).prepare(proof)
  const passkey = await passkeysOf(owner).add({ name, credential: device.create(options) })
  return { device, passkey }
}

/** Returns the options for a login, which need no account. */
export function loginOptions({ url }: Pick<TestServer, 'url'>) {
  return new Client({ baseUrl: url }).api(Passkeys).prepareLogin()
}

export function sendLogin(server: TestServer, credential: unknown, headers = {}): Promise<RawAnswer> {
  return send(server, 'POST', '/api/auth/passkeys/login', { body: { credential }, headers })
}

/** Requests new options and logs in with a passkey. */
export async function logInWith(
  server: TestServer,
  device: SoftwareAuthenticator,
  lies: Lies = {},
): Promise<RawAnswer> {
  return sendLogin(server, device.use(await loginOptions(server), lies))
}
