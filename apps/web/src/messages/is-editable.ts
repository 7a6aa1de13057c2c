import type { Message } from '@foyer/protocol/messages'
import { isSystem } from './system-message.tsx'

/** Whether its author may write it anew: what was forwarded is as it was. */
export function isEditable(message: Message): boolean {
  return !isSystem(message) && message.snapshot === null
}
