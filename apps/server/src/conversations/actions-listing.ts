import type { Conversation } from '@foyer/protocol/conversations'
import { tellCall } from '#src/calls/actions-ringing.ts'
import { topicOf } from '#src/kernel/bus.ts'
import type { Transaction } from '#src/kernel/database.ts'
import { event } from '#src/kernel/events.ts'
import { lockHead } from './change-queries.ts'
import { findConversation } from './queries.ts'

/** As it is now, up to the newest message: the next waits until the transaction ends. */
export async function readConversation(transaction: Transaction, id: string): Promise<Conversation> {
  await lockHead(transaction, id)
  const conversation = await findConversation(transaction, id)
  if (conversation === undefined) throw new Error('a conversation that is held cannot be read')
  return conversation
}

/** Lists the conversation for these users: from here on they hear what happens in it. */
export function listFor(
  transaction: Transaction,
  userIds: readonly string[],
  conversation: Conversation,
): void {
  for (const userId of userIds)
    transaction.publish(event(topicOf.user(userId), 'CONVERSATION_CREATE', conversation))
}

/** The same for one that was there before them: they also hear of the call that is under way in it. */
export async function listForLate(
  transaction: Transaction,
  userIds: readonly string[],
  conversation: Conversation,
): Promise<void> {
  if (userIds.length === 0) return
  listFor(transaction, userIds, conversation)
  await tellCall(transaction, userIds, conversation.id)
}

/** It is listed for the user no more, and they hear no more of it. */
export function unlistFor(transaction: Transaction, userId: string, conversationId: string): void {
  const ended = { conversation_id: conversationId }
  transaction.publish(event(topicOf.user(userId), 'CONVERSATION_DELETE', ended))
}
