import type { Conversation } from '@foyer/protocol/conversations'
import { publishCallTo } from '#src/calls/actions/ringing.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { lockHead } from '../change-queries.ts'
import { findConversation } from '../queries.ts'

/** Reads the conversation up to its newest message, and blocks new messages until the transaction ends. */
export async function readConversation(transaction: Transaction, id: string): Promise<Conversation> {
  await lockHead(transaction, id)
  const conversation = await findConversation(transaction, id)
  if (conversation === undefined) throw new Error('a conversation that is held cannot be read')
  return conversation
}

/** Publishes CONVERSATION_CREATE to the users, who then receive the conversation's events. */
export function listFor(
  transaction: Transaction,
  userIds: readonly string[],
  conversation: Conversation,
): void {
  for (const userId of userIds)
    transaction.publish(event(topicOf.user(userId), 'CONVERSATION_CREATE', conversation))
}

/** Like `listFor`, but for users who join or reopen an existing conversation: they also get the call in progress. */
export async function listForLate(
  transaction: Transaction,
  userIds: readonly string[],
  conversation: Conversation,
): Promise<void> {
  if (userIds.length === 0) return
  listFor(transaction, userIds, conversation)
  await publishCallTo(transaction, userIds, conversation.id)
}

/** Publishes CONVERSATION_DELETE to the user, who receives no later events of the conversation. */
export function unlistFor(transaction: Transaction, userId: string, conversationId: string): void {
  const ended = { conversation_id: conversationId }
  transaction.publish(event(topicOf.user(userId), 'CONVERSATION_DELETE', ended))
}
