import { memo } from 'react'
import { useSession } from '#src/session/context.ts'
import type { OutgoingMessage } from '#src/store/state.ts'
import { Button } from '#src/ui/button.tsx'
import { Byline } from './message-row.tsx'
import { MessageText } from './message-text.tsx'
import { retryMessage } from './send.ts'

interface OutgoingRowProps {
  message: OutgoingMessage
  myId: string
  name: string
  grouped: boolean
}

/** A message of mine that the server has not confirmed. */
export const OutgoingRow = memo(function OutgoingRow({ message, myId, name, grouped }: OutgoingRowProps) {
  return (
    <li
      className="message"
      data-row={message.nonce}
      data-grouped={grouped || undefined}
      data-status={message.status}
    >
      <Byline author={{ id: myId, is_bot: false }} name={name} time={message.created_at} grouped={grouped} />
      <div className="message-body">
        <MessageText text={message.content} />
        {message.status === 'sending' ? (
          <span className="visually-hidden">Sending</span>
        ) : (
          <Failure message={message} />
        )}
      </div>
    </li>
  )
})

function Failure({ message }: { message: OutgoingMessage }) {
  const session = useSession()
  const { room_id, nonce } = message
  return (
    <div className="message-failure" role="status">
      {message.status === 'waiting'
        ? 'Not sent yet. It goes out once the server is reached.'
        : `Not sent. ${message.error ?? ''}`}
      <Button look="text" onClick={() => retryMessage(session, message)}>
        Retry
      </Button>
      <Button look="text" onClick={() => session.store.dispatch('message_discarded', { room_id, nonce })}>
        Delete
      </Button>
    </div>
  )
}
