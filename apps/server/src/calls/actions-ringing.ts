import type { Call } from '@foyer/protocol/voice'
import { topicOf } from '#src/kernel/bus.ts'
import type { Transaction } from '#src/kernel/database.ts'
import { event } from '#src/kernel/events.ts'
import { listVoiceStates } from '#src/spaces/voice-states.ts'
import { clearRinging, holdCall, removeRinging } from './queries.ts'

/** It rings for the user no more: they are there, declined or left the conversation. */
export async function stopRinging(
  transaction: Transaction,
  conversationId: string,
  userId: string,
): Promise<void> {
  publishRinging(transaction, await removeRinging(transaction, conversationId, userId))
}

/** It rings for nobody any more, where it has rung for long enough. */
export async function endRinging(transaction: Transaction, conversationId: string): Promise<void> {
  publishRinging(transaction, await clearRinging(transaction, conversationId))
}

/** @param call as it is now; undefined where nothing changed, which is told to nobody */
export function publishRinging(transaction: Transaction, call: Call | undefined): void {
  if (call === undefined) return
  transaction.publish(event(topicOf.conversation(call.conversation_id), 'CALL_UPDATE', call))
}

/** Tells users of a call that was under way before they came to hear of the conversation, and who is in it. */
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
