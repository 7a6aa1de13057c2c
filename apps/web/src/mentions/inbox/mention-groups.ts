import type { Message } from '@foyer/protocol/messages'
import { roomOf } from '#src/search/hit-groups.ts'
import type { State } from '#src/store/state.ts'

/** Mentions as listed by the server, newest first. */
export interface ListedMentions {
  readonly messages: readonly Message[]
  /** Position where older mentions begin; null if there are none. */
  readonly cursor: string | null
}

/** Changes since the list was loaded, by message id: the current message, or null if it no longer mentions the user. */
export type MentionChanges = ReadonlyMap<string, Message | null>

/** Merges changes into a list of mentions, newest first. Skips messages older than the list: their page is not loaded yet. */
export function withChanges({ messages, cursor }: ListedMentions, changes: MentionChanges): Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]))
  for (const [id, message] of changes) {
    if (message === null) byId.delete(id)
    else if (byId.has(id) || cursor === null || id > cursor) byId.set(id, message)
  }
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1))
}

type Sight = Pick<State, 'blocks' | 'rooms' | 'conversations'>

/** Leaves out messages from channels the user can no longer see, and from people they block. */
export function inSight({ blocks, rooms, conversations }: Sight, messages: readonly Message[]): Message[] {
  return messages.filter(
    (message) =>
      !(message.author.id in blocks) &&
      ((roomOf(message) ?? '') in rooms || (message.conversation_id ?? '') in conversations),
  )
}

/**
 * Returns false for messages from before the user joined the space, because they may only mention everyone or a role. Messages
 * that mention the user directly always count.
 */
export function isMeant({ me, spaces }: Pick<State, 'me' | 'spaces'>, message: Message): boolean {
  const { member } = spaces[message.space_id ?? ''] ?? {}
  if (member === undefined || message.mentions.some(({ id }) => id === me?.id)) return true
  return Date.parse(message.created_at) >= Date.parse(member.joined_at)
}
