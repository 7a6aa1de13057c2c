import type { Message } from '@foyer/protocol/messages'

/** Of one room or conversation. */
export type HitGroup = readonly [Message, ...Message[]]

/** Those of one place that follow each other together. */
export function groupsOf(messages: readonly Message[]): HitGroup[] {
  const groups: [Message, ...Message[]][] = []
  for (const message of messages) {
    const last = groups.at(-1)
    if (last !== undefined && placeOf(last[0]) === placeOf(message)) last.push(message)
    else groups.push([message])
  }
  return groups
}

function placeOf({ room_id, conversation_id }: Message): string | null {
  return room_id ?? conversation_id
}
