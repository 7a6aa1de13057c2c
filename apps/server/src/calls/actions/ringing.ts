import type { Call } from '@foyer/protocol/voice'
import type { Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { listVoiceStates } from '#src/spaces/voice-states.ts'
import { clearRinging, holdCall, removeRinging } from '../queries.ts'

/** Stops ringing for a user who joined, declined or left the conversation. */
export async function stopRinging(
  transaction: Transaction,
  conversationId: string,
  userId: string,
): Promise<void> {
  publishRinging(transaction, await removeRinging(transaction, conversationId, userId))
}

/** Stops ringing for everyone, once the time to ring is over. */
export async function endRinging(transaction: Transaction, conversationId: string): Promise<void> {
  publishRinging(transaction, await clearRinging(transaction, conversationId))
}

/** @param call the call after the change; undefined if nothing changed, so that nothing is published */
export function publishRinging(transaction: Transaction, call: Call | undefined): void {
  if (call === undefined) return
  transaction.publish(event(topicOf.conversation(call.conversation_id), 'CALL_UPDATE', call))
}

/** Publishes the call in progress and its voice states to users who had no access to the conversation when it began. */
export async function publishCallTo(
  transaction: Transaction,
  userIds: readonly string[],
  conversationId: string,
): Promise<void> {
  const call = await holdCall(transaction, conversationId)
  if (call === undefined) return
  const states = await listVoiceStates(transaction, [conversationId])
  for (const topic of userIds.map(topicOf.user)) {
    transaction.publish(event(topic, 'CALL_CREATE', call))
    for (const state of states) transaction.publish(event(topic, 'VOICE_STATE_UPDATE', state))
  }
}
