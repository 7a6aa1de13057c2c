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

/** The state with exactly these conversations; what is kept of others goes. */
export function withConversations(state: State, conversations: readonly Conversation[]): State {
  const ids = new Set(conversations.map(({ id }) => id))
  const gone = Object.keys(state.conversations).filter((id) => !ids.has(id))
  const kept = gone.reduce(withoutConversation, state)
  return conversations.reduce(withConversation, kept)
}

/** The newest message first. */
export function sortedConversations(conversations: State['conversations']): Conversation[] {
  return Object.values(conversations).sort(byNewest)
}

/** The direct conversation with somebody, where it is open. */
export function directWith(conversations: State['conversations'], userId: string): Conversation | undefined {
  return Object.values(conversations).find(
    ({ type, recipients }) =>
      type === ConversationType.Direct && recipients.some((recipient) => recipient.id === userId),
  )
}

/** Who is in it besides the reader, as they are known now. */
export function othersIn({ me, users }: Pick<State, 'me' | 'users'>, { recipients }: Conversation): User[] {
  return recipients.filter(({ id }) => id !== me?.id).map((user) => users[user.id] ?? user)
}

/** What was said there and not read. */
export function unreadCount({ readStates }: State, conversationId: string): number {
  return readStates[conversationId]?.unread_count ?? 0
}

/** What was said to the reader in all conversations that are not muted, and not read. */
export function unreadInConversations(state: State): number {
  const calling = Object.keys(state.conversations).filter((id) => !isChannelMuted(state, id))
  return calling.reduce((sum, id) => sum + unreadCount(state, id), 0)
}

/** Of the conversations in which those are counted, the one with the newest message. */
export function callingConversation(state: State): Conversation | undefined {
  const calling = Object.values(state.conversations).filter(({ id }) => showsUnread(state, id))
  return calling.sort(byNewest)[0]
}

/** Where nothing was said yet, when it began counts. Ids are in the order of time. */
function byNewest(one: Conversation, other: Conversation): number {
  const at = ({ last_message_id, id }: Conversation) => last_message_id ?? id
  return at(one) < at(other) ? 1 : -1
}

/** As it is told; that may be older than a message that was heard: its newest `seq` never goes back. */
function withConversation(state: State, conversation: Conversation): State {
  const known = state.conversations[conversation.id]
  const { last_seq, last_message_id } =
    known !== undefined && known.last_seq > conversation.last_seq ? known : conversation
  const newer = { ...conversation, last_seq, last_message_id }
  const named = withUsers(state, conversation.recipients)
  return { ...named, conversations: { ...named.conversations, [conversation.id]: newer } }
}

/** The state without the conversation and all that was kept for it, but how far it was read: one may come back. */
function withoutConversation(state: State, id: string): State {
  return { ...withoutChannel(state, id), conversations: without(state.conversations, id) }
}

function withRecipients(state: State, id: string, change: (recipients: User[]) => User[]): State {
  const conversation = state.conversations[id]
  if (conversation === undefined) return state
  const changed = { ...conversation, recipients: change(conversation.recipients) }
  return { ...state, conversations: { ...state.conversations, [id]: changed } }
}
