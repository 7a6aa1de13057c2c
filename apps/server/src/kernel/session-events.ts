import { type Topic, topicOf } from './bus.ts'
import type { Transaction } from './database.ts'

type Publisher = Pick<Transaction, 'publish'>

/**
 * Tells that the sessions are over: the credentials forget them, and whoever holds a connection of one closes it. Neither
 * is an event for clients.
 */
export function publishSessionEnd(
  transaction: Publisher,
  userId: string,
  sessionIds: readonly string[],
): void {
  publishCredentialChange(transaction, userId)
  for (const id of sessionIds) transaction.publish(notice(topicOf.session(id), 'SESSION_END'))
}

/**
 * Tells that an account has a new session, new tokens in one, or a new bot token, while what it was before may be
 * cached.
 */
export function publishCredentialChange(transaction: Publisher, userId: string): void {
  transaction.publish(notice(topicOf.account(userId), 'CREDENTIAL_CHANGE'))
}

function notice(topic: Topic, name: string) {
  return { topic, name, data: '{}' }
}
