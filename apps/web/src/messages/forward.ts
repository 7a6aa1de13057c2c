import type { Message } from '@foyer/protocol/messages'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { openDirect } from '#src/conversations/actions.ts'
import type { Session } from '#src/session/session.ts'
import type { Destination } from '#src/switcher/destinations.ts'

/** So many at once: more are an announcement. */
export const MAX_TARGETS = 10

/** Sends the message on to one place, and what is said about it after it. */
export async function forwardTo(
  session: Session,
  message: Message,
  { target, note }: { target: Destination; note: string },
): Promise<void> {
  const { messages } = session.client
  const { id: message_id, room_id, conversation_id } = message
  const address = await addressOf(session, target)
  await messages.create(address, { reference: { type: 1, message_id, room_id, conversation_id } })
  if (note !== '') await messages.create(address, { content: note })
}

async function addressOf(session: Session, { kind, id }: Destination): Promise<ChannelAddress> {
  if (kind === 'room') return id
  return { conversation: kind === 'person' ? (await openDirect(session, id)).id : id }
}
