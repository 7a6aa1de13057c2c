import { type Topic, topicOf } from '../journal/bus.ts'
import type { Transaction } from './database.ts'

type Publisher = Pick<Transaction, 'publish'>

/**
 * Publishes the end of sessions: every process drops their cached credentials, and closes their connections. Clients do
 * not receive these events.
 */
export function publishSessionEnd(
  transaction: Publisher,
  userId: string,
  sessionIds: readonly string[],
): void {
  publishCredentialChange(transaction, userId)
  for (const id of sessionIds) transaction.publish(internalEvent(topicOf.session(id), 'SESSION_END'))
}

/** Publishes that sessions lost their second factor: their connections are closed, and may not be allowed to come back. */
export function publishSessionChange(
  transaction: Publisher,
  userId: string,
  sessionIds: readonly string[],
): void {
  publishCredentialChange(transaction, userId)
  for (const id of sessionIds) transaction.publish(internalEvent(topicOf.session(id), 'SESSION_CHANGE'))
}

/**
 * Publishes that an account has a new session, new tokens or a new bot token, because the old state may be cached.
 */
export function publishCredentialChange(transaction: Publisher, userId: string): void {
  transaction.publish(internalEvent(topicOf.account(userId), 'CREDENTIAL_CHANGE'))
}

function internalEvent(topic: Topic, name: string) {
  return { topic, name, data: '{}' }
}
