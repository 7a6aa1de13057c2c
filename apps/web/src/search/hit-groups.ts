import type { Message } from '@foyer/protocol/messages'

/** Consecutive results in one room or conversation. */
export type HitGroup = readonly [Message, ...Message[]]

/** Groups consecutive messages of the same room or conversation, or by another key. */
export function groupsOf(
  messages: readonly Message[],
  keyOf: (message: Message) => string | null = channelIdOf,
): HitGroup[] {
  const groups: [Message, ...Message[]][] = []
  for (const message of messages) {
    const last = groups.at(-1)
    if (last !== undefined && keyOf(last[0]) === keyOf(message)) last.push(message)
    else groups.push([message])
  }
  return groups
}

/** Returns the room of a message; for a message in a thread, the thread's room. Null for messages of conversations. */
export function roomOf({ room_id, parent_room_id }: Message): string | null {
  return parent_room_id ?? room_id
}

/** Returns the thread or post of a message; null for messages that are in neither. */
export function threadOf({ room_id, parent_room_id }: Message): string | null {
  return parent_room_id === undefined ? null : room_id
}

/** Returns the thread, room or conversation of a message. */
export function placeOf({ room_id, conversation_id }: Message): string | null {
  return room_id ?? conversation_id
}

function channelIdOf(message: Message): string | null {
  return roomOf(message) ?? message.conversation_id
}
