import { type Bus, type Topic, topicOf } from './bus.ts'

/**
 * Tells that the sessions are over: the credentials forget them, and whoever holds a connection of one closes it. Call it
 * after the commit. Neither is an event for clients.
 */
export function announceSessionEnd(bus: Bus, userId: string, sessionIds: readonly string[]): void {
  announceCredentialChange(bus, userId)
  bus.emit(sessionIds.map((id) => notice(topicOf.session(id), 'SESSION_END')))
}

/**
 * Tells that an account has a new session, new tokens in one, or a new bot token, while what it was before may be
 * cached. Call it after the commit.
 */
export function announceCredentialChange(bus: Bus, userId: string): void {
  bus.emit([notice(topicOf.account(userId), 'CREDENTIAL_CHANGE')])
}

function notice(topic: Topic, name: string) {
  return { id: undefined, topic, audience: 0, name, data: '{}' }
}
