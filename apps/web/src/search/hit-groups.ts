import type { Message } from '@foyer/protocol/messages'

/** Consecutive results in one room or conversation. */
export type HitGroup = readonly [Message, ...Message[]]

/** Groups consecutive messages of the same room or conversation. */
export function groupsOf(messages: readonly Message[]): HitGroup[] {
  const groups: [Message, ...Message[]][] = []
  for (const message of messages) {
    const last = groups.at(-1)
    if (last !== undefined && channelIdOf(last[0]) === channelIdOf(message)) last.push(message)
    else groups.push([message])
  }
  return groups
}

/** Returns the room of a message, also of one in a thread; null in a conversation. */
export function roomOf({ room_id, parent_room_id }: Message): string | null {
  return parent_room_id ?? room_id
}

function channelIdOf(message: Message): string | null {
  return roomOf(message) ?? message.conversation_id
}
