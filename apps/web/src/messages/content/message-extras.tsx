import type { Message } from '@foyer/protocol/messages'
import { MessageComponents } from '#src/commands/interactions/message-components.tsx'
import { CopyOrigin } from './copy-origin.tsx'

// One module for both parts, because every lazy chunk adds its name to the first load.

/** Parts of a message that few have: its components, and the announcement that it is a copy of. */
export function MessageExtras({ message }: { message: Message }) {
  return (
    <>
      <MessageComponents message={message} />
      {message.copy_of !== undefined && <CopyOrigin original={message.copy_of} />}
    </>
  )
}
