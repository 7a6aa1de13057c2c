import { type Message, MessageFlag, ReferenceType } from '@foyer/protocol/messages'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { randomNonce } from '@foyer/sdk/nonce'
import { openDirect } from '#src/conversations/actions.ts'
import type { Session } from '#src/session/session.ts'
import type { Destination } from '#src/switcher/destinations.ts'
import { withoutSilent } from './use-draft.ts'

/** So many at once: more are an announcement. */
export const MAX_TARGETS = 10

/** Of a session, what messages are sent on with. */
type Sender = Pick<Session, 'client' | 'store'>

/** Sends a message on to one place, and what is said about it after it: both silently where that begins so. */
type Forward = (target: Destination, note: string) => Promise<void>

/** However often it is tried to send this message on, what arrived at a place is there once. */
export function forwarding(session: Sender, message: Message): Forward {
  const { messages } = session.client
  const { id: message_id, room_id, conversation_id } = message
  const reference = { type: ReferenceType.Forward, message_id, room_id, conversation_id }
  const nonces = new Map<string, string>()
  const nonceOf = (target: Destination, note: string) => {
    const key = `${target.id} ${note}`
    const nonce = nonces.get(key) ?? randomNonce()
    nonces.set(key, nonce)
    return nonce
  }
  return async (target, note) => {
    const address = await addressOf(session, target)
    const { text, isSilent } = withoutSilent(note)
    const silence = isSilent ? { flags: MessageFlag.SuppressNotifications } : {}
    await messages.create(address, { reference, nonce: nonceOf(target, ''), ...silence })
    if (text !== '')
      await messages.create(address, { content: text, nonce: nonceOf(target, text), ...silence })
  }
}

async function addressOf(session: Sender, { kind, id }: Destination): Promise<ChannelAddress> {
  if (kind === 'room') return id
  return { conversation: kind === 'person' ? (await openDirect(session, id)).id : id }
}
