import type { Message } from '@foyer/protocol/messages'

type Place = Pick<Message, 'id' | 'space_id' | 'room_id' | 'conversation_id'>

/** Returns the path of a message's page in the client. */
export function messagePath({ id, space_id, room_id, conversation_id }: Place): string {
  if (room_id === null) return `/conversations/${conversation_id ?? ''}/${id}`
  return `/spaces/${space_id ?? ''}/rooms/${room_id}/${id}`
}
