import type { Message } from '@foyer/protocol/messages'
import { isSystem } from '../content/system-message.tsx'

/** Returns true if the author may edit the message. Forwards can't be edited. */
export function isEditable(message: Message): boolean {
  return !isSystem(message) && message.snapshot === null
}
