import type { HeldMessage } from '@foyer/protocol/automod'

export function withoutHeld(messages: readonly HeldMessage[], heldId: string): HeldMessage[] {
  return messages.filter(({ id }) => id !== heldId)
}
