import type { Message } from '@foyer/protocol/messages'
import { addressOf } from '#src/store/channels.ts'

export function addressOfMessage({ id, room_id, conversation_id }: Message) {
  return { channel: addressOf({ room_id, conversation_id }), id }
}
