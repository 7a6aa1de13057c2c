import { FORUMS_CAPABILITY } from '@foyer/protocol/forums'
import { THREADS_CAPABILITY } from '@foyer/protocol/thread-rooms'
import { Client } from '@foyer/sdk/client'
import type { Person } from './tenant.ts'

/** Maximum parallel sign-ups. Hashing a password blocks one of a process's four worker threads for a while. */
const AT_ONCE = 8

/** Turns off the SDK's retries: the run repeats requests itself, so it knows which may have been executed twice. */
const RETRY = { maxAttempts: 1, timeoutMs: 6000 }
/** Short, so that failures are noticed within the run. */
const GATEWAY_TIMINGS = { baseDelayMs: 200, maxDelayMs: 3000, helloTimeoutMs: 5000 }

/** Sets of capabilities, assigned to people in turn. The empty set is that of an old client. */
const CAPABILITIES = [
  [],
  [THREADS_CAPABILITY, FORUMS_CAPABILITY],
  [THREADS_CAPABILITY],
  [THREADS_CAPABILITY, FORUMS_CAPABILITY],
]

/** Signs up this many people. */
export async function signUp(url: string, count: number): Promise<Person[]> {
  const people: Person[] = []
  for (let from = 0; from < count; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => from + index + 1)
    people.push(...(await Promise.all(numbers.map((number) => signUpOne(url, number)))))
  }
  return people
}

/** Creates another client of the same person, without connecting it. */
export function freshClient(url: string, { tokens, capabilities }: Person): Client {
  return new Client({ baseUrl: url, tokens, gatewayTimings: GATEWAY_TIMINGS, ...asking(capabilities) })
}

function asking(capabilities: readonly string[]): { capabilities?: string[] } {
  return capabilities.length === 0 ? {} : { capabilities: [...capabilities] }
}

async function signUpOne(url: string, number: number): Promise<Person> {
  const capabilities = CAPABILITIES[number % CAPABILITIES.length] ?? []
  const options = { baseUrl: url, retry: RETRY, gatewayTimings: GATEWAY_TIMINGS }
  const client = new Client({ ...options, ...asking(capabilities) })
  const name = `person_${number}`
  const { user, ...tokens } = await client.auth.signin({
    username: name,
    email: `${name}@example.org`,
    password: 'correct horse battery staple',
    alias: `Person ${number}`,
  })
  return { id: user.id, name, client, tokens, capabilities }
}
