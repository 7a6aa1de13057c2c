import { type Bus, type Topic, topicOf } from './bus.ts'

/**
 * Tells that the sessions are over. Call it after the commit. The user's topic makes credentials forget them; the
 * session's own is for whoever holds a connection of it. Neither is an event for clients.
 */
export function announceSessionEnd(bus: Bus, userId: string, sessionIds: readonly string[]): void {
  const topics = [topicOf.user(userId), ...sessionIds.map(topicOf.session)]
  bus.emit(topics.map((topic) => notice(topic, 'SESSION_END')))
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
