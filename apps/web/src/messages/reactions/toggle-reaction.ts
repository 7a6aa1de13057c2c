import type { Message } from '@foyer/protocol/messages'
import { unicodeEmoji } from '@foyer/protocol/reactions'
import type { Session } from '#src/session/session.ts'
import { addressOfMessage } from './address-of-message.ts'

/** Text that the picker inserts for a space emoji. */
const WRITTEN = /^<:\w{2,32}:([0-9a-f-]{36})>$/

/** Returns the reaction key for the picker's output: the server's form of an emoji, or the id of a space emoji. */
export function reactionKey(written: string): string {
  return WRITTEN.exec(written)?.[1] ?? unicodeEmoji(written) ?? written
}

/** Adds or removes the user's reaction. Shown immediately, and undone if the server rejects it. */
export async function toggleReaction(session: Session, message: Message, emoji: string): Promise<void> {
  const known = message.reactions.find((reaction) => reaction.emoji === emoji)
  const isThere = known?.me === true
  show(session, message, { emoji, isAdded: !isThere, count: (known?.count ?? 0) + (isThere ? -1 : 1) })
  const { reactions } = session.client
  const target = addressOfMessage(message)
  try {
    await (isThere ? reactions.remove(target, emoji) : reactions.add(target, emoji))
  } catch (error) {
    show(session, message, { emoji, isAdded: isThere, count: known?.count ?? 0 })
    throw error
  }
}

interface Shown {
  readonly emoji: string
  readonly isAdded: boolean
  readonly count: number
}

function show({ store }: Session, message: Message, { emoji, isAdded, count }: Shown): void {
  const { id: message_id, seq, room_id, conversation_id, space_id } = message
  const user_id = store.get().me?.id ?? ''
  const change = { message_id, seq, room_id, conversation_id, space_id, user_id, emoji, count }
  store.adopt(isAdded ? 'MESSAGE_REACTION_ADD' : 'MESSAGE_REACTION_REMOVE', change)
}
