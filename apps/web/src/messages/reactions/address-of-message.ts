import type { Message } from '@foyer/protocol/messages'
import { addressOf } from '#src/store/channels.ts'

type Placed = Pick<Message, 'id' | 'room_id' | 'conversation_id'>

export function addressOfMessage({ id, room_id, conversation_id }: Placed) {
  return { channel: addressOf({ room_id, conversation_id }), id }
}
