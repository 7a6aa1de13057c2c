import { type Conversation, ConversationType } from '@foyer/protocol/conversations'
import type { Events } from '@foyer/protocol/events'
import type { User } from '@foyer/protocol/users'
import { withoutChannel } from './channels.ts'
import { isChannelMuted } from './notification-settings.ts'
import { showsUnread } from './selectors.ts'
import { type State, without } from './state.ts'
import { withUsers } from './users.ts'

export const conversationReducers = {
  CONVERSATION_CREATE: (state: State, conversation: Events['CONVERSATION_CREATE']): State =>
    withConversation(state, conversation),
  CONVERSATION_UPDATE: (state: State, conversation: Events['CONVERSATION_UPDATE']): State =>
    conversation.id in state.conversations ? withConversation(state, conversation) : state,
  CONVERSATION_DELETE: (state: State, { conversation_id }: Events['CONVERSATION_DELETE']): State =>
    withoutConversation(state, conversation_id),
  CONVERSATION_MEMBER_ADD: (
    state: State,
    { conversation_id, user }: Events['CONVERSATION_MEMBER_ADD'],
  ): State =>
    withRecipients(withUsers(state, [user]), conversation_id, (others) => [
      ...others.filter(({ id }) => id !== user.id),
      user,
    ]),
  CONVERSATION_MEMBER_REMOVE: (
    state: State,
    { conversation_id, user_id }: Events['CONVERSATION_MEMBER_REMOVE'],
  ): State => withRecipients(state, conversation_id, (others) => others.filter(({ id }) => id !== user_id)),
}

/** Replaces all conversations, and removes the data of deleted ones. */
export function withConversations(state: State, conversations: readonly Conversation[]): State {
  const ids = new Set(conversations.map(({ id }) => id))
  const gone = Object.keys(state.conversations).filter((id) => !ids.has(id))
  const kept = gone.reduce(withoutConversation, state)
  return conversations.reduce(withConversation, kept)
}

/** Returns the conversations, newest message first. */
export function sortedConversations(conversations: State['conversations']): Conversation[] {
  return Object.values(conversations).sort(byNewest)
}

/** Returns the open direct conversation with a user. */
export function directWith(conversations: State['conversations'], userId: string): Conversation | undefined {
  return Object.values(conversations).find(
    ({ type, recipients }) =>
      type === ConversationType.Direct && recipients.some((recipient) => recipient.id === userId),
  )
}

/** Returns the other members, with their current names and avatars. */
export function othersIn({ me, users }: Pick<State, 'me' | 'users'>, { recipients }: Conversation): User[] {
  return recipients.filter(({ id }) => id !== me?.id).map((user) => users[user.id] ?? user)
}

export function unreadCount({ readStates }: State, conversationId: string): number {
  return readStates[conversationId]?.unread_count ?? 0
}

/** Returns the number of unread messages in all conversations that are not muted. */
export function unreadInConversations(state: State): number {
  const candidates = Object.keys(state.conversations).filter((id) => !isChannelMuted(state, id))
  return candidates.reduce((sum, id) => sum + unreadCount(state, id), 0)
}

/** Returns the conversation with the newest message among those that show unread messages. */
export function newestUnreadConversation(state: State): Conversation | undefined {
  const candidates = Object.values(state.conversations).filter(({ id }) => showsUnread(state, id))
  return candidates.sort(byNewest)[0]
}

/** Compares by newest message. Without messages, the conversation's own id is used, since ids are in order of time. */
function byNewest(one: Conversation, other: Conversation): number {
  const at = ({ last_message_id, id }: Conversation) => last_message_id ?? id
  return at(one) < at(other) ? 1 : -1
}

/** Adds or updates a conversation. Its data may be older than a message received, so `last_seq` never goes back. */
function withConversation(state: State, conversation: Conversation): State {
  const known = state.conversations[conversation.id]
  const { last_seq, last_message_id } =
    known !== undefined && known.last_seq > conversation.last_seq ? known : conversation
  const newer = { ...conversation, last_seq, last_message_id }
  const named = withUsers(state, conversation.recipients)
  return { ...named, conversations: { ...named.conversations, [conversation.id]: newer } }
}

/** Removes a conversation and its data, but not its read state, because the user may be added again. */
function withoutConversation(state: State, id: string): State {
  return { ...withoutChannel(state, id), conversations: without(state.conversations, id) }
}

function withRecipients(state: State, id: string, change: (recipients: User[]) => User[]): State {
  const conversation = state.conversations[id]
  if (conversation === undefined) return state
  const changed = { ...conversation, recipients: change(conversation.recipients) }
  return { ...state, conversations: { ...state.conversations, [id]: changed } }
}
