import { type Message, MessageFlag, ReferenceType } from '@foyer/protocol/messages'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { randomNonce } from '@foyer/sdk/nonce'
import { openDirect } from '#src/conversations/actions.ts'
import type { Session } from '#src/session/session.ts'
import type { Destination } from '#src/switcher/destinations.ts'
import { withoutSilent } from '../composer/use-draft.ts'

/** Maximum targets per forward. A message for more people should be an announcement. */
export const MAX_TARGETS = 10

/** The parts of the session needed for forwarding. */
type Sender = Pick<Session, 'client' | 'store'>

/** Forwards a message to one target, followed by the comment. Both are silent if the comment starts with @silent. */
type Forward = (target: Destination, note: string) => Promise<void>

/** Returns a function that forwards the message. Retries use the same nonces, so nothing is posted twice. */
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
