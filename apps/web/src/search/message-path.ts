import type { Message } from '@foyer/protocol/messages'

type Place = Pick<Message, 'id' | 'space_id' | 'room_id' | 'conversation_id' | 'parent_room_id'>

/** Returns the path of a message's page in the client. Threads have no pages: the path is that of their room. */
export function messagePath({ id, space_id, room_id, conversation_id, parent_room_id }: Place): string {
  if (room_id === null) return `/conversations/${conversation_id ?? ''}/${id}`
  if (parent_room_id !== undefined) return `/spaces/${space_id ?? ''}/rooms/${parent_room_id}`
  return `/spaces/${space_id ?? ''}/rooms/${room_id}/${id}`
}
