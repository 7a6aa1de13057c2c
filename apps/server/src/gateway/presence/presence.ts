import type { Presence, UpdatePresence } from '@foyer/protocol/presence'
import { type Choice, ownPresence } from '#src/people/presence/choices.ts'
import type { Presences } from '#src/people/presence/presences.ts'
import type { Connection } from '../connections/connection.ts'
import type { Watchers } from './watchers.ts'

export interface PresenceDeps {
  presences: Presences
  watchers: Watchers
}

/**
 * Makes the connection's user appear online, and subscribes the connection to others' presences. It must already be
 * subscribed to its spaces.
 * @returns the presences for READY or RESUMED: of the user, and of watched users who are not offline
 */
export async function appear(
  { presences, watchers }: PresenceDeps,
  connection: Connection,
  given: UpdatePresence | null | undefined,
): Promise<Presence[]> {
  // A connection that has closed in the meantime must not be added: it would never be removed again.
  if (connection.state.name !== 'joining' || connection.caller === undefined) return []
  const userId = connection.caller.user.id
  const [related] = await Promise.all([
    watchers.join(userId),
    presences.choose(userId, connection, choiceOf(given)),
  ])
  return [ownPresence(userId, presences.choiceOf(userId)), ...related]
}

/** Handles PRESENCE_UPDATE of a client. */
export async function updatePresence(
  { presences }: PresenceDeps,
  connection: Connection,
  given: UpdatePresence,
): Promise<void> {
  if (connection.caller !== undefined)
    await presences.choose(connection.caller.user.id, connection, choiceOf(given))
}

function choiceOf(given: UpdatePresence | null | undefined): Choice {
  return { status: given?.status ?? 'online', custom: given?.custom || null }
}
