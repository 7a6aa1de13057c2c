import type { VoiceEndReason } from '@foyer/protocol/voice'
import type { Logger } from 'pino'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import type { Bus } from '#src/kernel/journal/bus.ts'
import { placeOf, publishLeave } from '../actions/publishing.ts'
import type { VoiceHosts } from '../hosts/hosts.ts'
import { deleteSessions, findSessions, lockPlaces, lockUsersOf, type StateRow } from '../queries.ts'
import { sendSignals } from '../signals/signals.ts'

export interface EndingDeps {
  database: Database
  bus: Bus
  log: Logger
  voiceHosts: VoiceHosts
}

const BATCH = 100

/**
 * Ends sessions: deletes and publishes their states, ends their media, and notifies their clients of the reason.
 * Sessions that are over are skipped.
 * @returns the ids of the sessions ended by this call
 */
export async function endSessions(
  deps: EndingDeps,
  sessionIds: readonly string[],
  reason: VoiceEndReason,
): Promise<string[]> {
  const ended: string[] = []
  for (let from = 0; from < sessionIds.length; from += BATCH) {
    const batch = sessionIds.slice(from, from + BATCH)
    const states = await deps.database.transaction((transaction) => endStates(transaction, batch, reason))
    await Promise.all(states.map((state) => releaseSession(deps, state, reason)))
    ended.push(...states.map(({ session_id }) => session_id))
  }
  return ended
}

/** Deletes and publishes the states: the transactional part of `endSessions`. @returns the deleted states */
export async function endStates(
  transaction: Transaction,
  sessionIds: readonly string[],
  reason: VoiceEndReason,
): Promise<StateRow[]> {
  // The users are locked before their states are read: a user who is moved in between must leave the new place.
  await lockUsersOf(transaction, sessionIds)
  const found = await findSessions(transaction, sessionIds)
  await lockPlaces(transaction, found.map(placeOf))
  const deleted = new Set(await deleteSessions(transaction, sessionIds))
  const states = found.filter(({ session_id }) => deleted.has(session_id)).toSorted(byPlace)
  for (const state of states) await publishLeave(transaction, state, reason === 'failed')
  return states
}

/**
 * Ends the media of a session whose state was deleted, and notifies its client of the reason. A host that does not
 * answer ends the media later, in its sweep.
 */
export async function releaseSession(
  { bus, log, voiceHosts }: Omit<EndingDeps, 'database'>,
  { session_id, user_id, host_id }: StateRow,
  reason: VoiceEndReason,
): Promise<void> {
  const kicked = voiceHosts.hostFor(host_id).kick(session_id, reason)
  await Promise.all([
    kicked.catch((error: unknown) => log.warn({ err: error }, 'a voice host did not end a session')),
    sendSignals(bus, [{ userId: user_id, signal: { kind: 'end', session_id, reason } }]),
  ])
}

function byPlace(one: StateRow, other: StateRow): number {
  return one.channel_id < other.channel_id ? -1 : 1
}
