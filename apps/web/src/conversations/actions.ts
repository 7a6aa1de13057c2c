import { type Conversation, ConversationType } from '@foyer/protocol/conversations'
import type { Session } from '#src/session/session.ts'
import { directWith } from '#src/store/conversations.ts'

export function conversationPath(conversationId: string): string {
  return `/conversations/${conversationId}`
}

/** Returns the direct conversation with a user. Creates it if necessary, or lists it again if it was closed. */
export async function openDirect(
  { client, store }: Pick<Session, 'client' | 'store'>,
  userId: string,
): Promise<Conversation> {
  const known = directWith(store.get().conversations, userId)
  if (known !== undefined) return known
  const conversation = await client.conversations.create({ recipient_ids: [userId] })
  store.adopt('CONVERSATION_CREATE', conversation)
  return conversation
}

/** Opens the direct conversation with one user, or creates a group for several. */
export async function beginConversation(
  session: Session,
  userIds: readonly string[],
  name: string | null,
): Promise<Conversation> {
  const [only, another] = userIds
  if (only !== undefined && another === undefined) return openDirect(session, only)
  const conversation = await session.client.conversations.create({ recipient_ids: [...userIds], name })
  session.store.adopt('CONVERSATION_CREATE', conversation)
  return conversation
}

/** Removes a direct conversation from the list, or leaves a group. */
export async function closeConversation({ client, store }: Session, { id }: Conversation): Promise<void> {
  await client.conversations.close(id)
  store.adopt('CONVERSATION_DELETE', { conversation_id: id })
}

/** Marks all messages as read without opening the conversation. */
export async function markRead({ client, store }: Session, conversation: Conversation): Promise<void> {
  const { id, last_message_id, last_seq } = conversation
  if (last_message_id === null) return
  store.dispatch('channel_read', { channel_id: id, seq: last_seq })
  const settle = () => store.dispatch('read_settled', { channel_id: id, seq: last_seq })
  await client.messages.ack({ conversation: id }, last_message_id).finally(settle)
}

export function isDirect({ type }: Conversation): boolean {
  return type === ConversationType.Direct
}
