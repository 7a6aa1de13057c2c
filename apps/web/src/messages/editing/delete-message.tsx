import type { Message } from '@foyer/protocol/messages'
import type { RefObject } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { addressOf } from '#src/store/channels.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { wordsOf } from '../content/message-words.ts'

interface DeleteMessageProps {
  message: Message
  name: string
  onClose: () => void
  /** Receives the focus after the message is deleted. */
  focusAfter: RefObject<HTMLElement | null>
}

export function DeleteMessage({ message, name, onClose, focusAfter }: DeleteMessageProps) {
  const { client } = useSession()
  const channel = useChannel()
  const words = useAppState((state) => wordsOf(state, channel, message))
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Delete this message?')}
      action={t('Delete message')}
      run={() => client.messages.delete(addressOf(message), message.id)}
      focusAfter={focusAfter}
    >
      <p>{t('This deletes it for everyone and can’t be undone.')}</p>
      <blockquote className="message-quote">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span>{words}</span>
      </blockquote>
    </Confirm>
  )
}
