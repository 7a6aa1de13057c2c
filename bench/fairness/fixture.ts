import type { Person } from '../load/crowd.ts'

/** The attacker's accounts and data, sent to the attacker's process as JSON. */
export interface Fixture {
  /** The attacker's accounts. Most attacks need only one. */
  people: readonly Person[]
  spaceIds: readonly string[]
  /** Rooms of all spaces, in the order of the spaces. */
  roomIds: readonly string[]
  /** Paths of webhooks, or tokens of bots. */
  secrets: readonly string[]
}

/** Prepares attacks that need no account. */
export async function noFixture(): Promise<Fixture> {
  return { people: [], spaceIds: [], roomIds: [], secrets: [] }
}
