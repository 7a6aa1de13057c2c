import type { Message } from '@foyer/protocol/messages'
import type { State } from '#src/store/state.ts'

/** Mentions as the server listed them, from the newest on. */
export interface ListedMentions {
  readonly messages: readonly Message[]
  /** Where those begin that are older; null when there are none. */
  readonly cursor: string | null
}

/** What was heard of messages since, by their ids: how one is now, or null for one that mentions the reader no more. */
export type MentionNews = ReadonlyMap<string, Message | null>

/** Those that mention the reader by now, newest first. What is older than the list goes comes with its page. */
export function withNews({ messages, cursor }: ListedMentions, news: MentionNews): Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]))
  for (const [id, message] of news) {
    if (message === null) byId.delete(id)
    else if (byId.has(id) || cursor === null || id > cursor) byId.set(id, message)
  }
  return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1))
}

type Sight = Pick<State, 'blocks' | 'rooms' | 'conversations'>

/** Those that the reader may still see, and wants to: not of a place that went out of sight, nor of whom they block. */
export function inSight({ blocks, rooms, conversations }: Sight, messages: readonly Message[]): Message[] {
  return messages.filter(
    ({ author, room_id, conversation_id }) =>
      !(author.id in blocks) && ((room_id ?? '') in rooms || (conversation_id ?? '') in conversations),
  )
}

/** What was said to all in a space before the reader came there is not for them; what names them is. */
export function isMeant({ me, spaces }: Pick<State, 'me' | 'spaces'>, message: Message): boolean {
  const { member } = spaces[message.space_id ?? ''] ?? {}
  if (member === undefined || message.mentions.some(({ id }) => id === me?.id)) return true
  return Date.parse(message.created_at) >= Date.parse(member.joined_at)
}
