import type { Message } from '@foyer/protocol/messages'
import { MessageComponents } from '#src/commands/interactions/message-components.tsx'
import { CopyOrigin } from './copy-origin.tsx'

// Both parts are in one module, because the name of every lazy chunk adds to the first load.

/** Parts that few messages have: components, and the origin of a copied announcement. */
export function MessageExtras({ message }: { message: Message }) {
  return (
    <>
      <MessageComponents message={message} />
      {message.copy_of !== undefined && <CopyOrigin original={message.copy_of} />}
    </>
  )
}
