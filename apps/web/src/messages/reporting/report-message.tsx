import type { Message } from '@foyer/protocol/messages'
import { useState } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { nameOfAuthor } from '#src/members/author-name.ts'
import { ReportDialog } from '#src/reports/making/report-dialog.tsx'
import { useAppState, useSession } from '#src/session/context.ts'
import { tombstoneOf } from '#src/store/channels.ts'
import { wordsOf } from '../content/message-words.ts'
import './reporting.css'
import { contextAround, preselectedIn } from './context.ts'
import { ContextChoice } from './context-choice.tsx'

interface ReportMessageProps {
  message: Message
  onClose: () => void
}

/** Reports a message. In a conversation, the user chooses which other messages the report includes. */
export function ReportMessage({ message, onClose }: ReportMessageProps) {
  const { store } = useSession()
  const channel = useChannel()
  const isOfWebhook = message.webhook_id !== null
  const name = nameOfAuthor(message, channel.nameOf)
  const space = useAppState((state) => state.spaces[channel.spaceId ?? ''])
  const isOfOwner = !isOfWebhook && space?.owner_id === message.author.id
  // Read once, so that the messages do not change while the user chooses.
  const [context] = useState(() =>
    channel.spaceId === null
      ? contextAround(store.get().timelines[channel.id]?.messages ?? [], message.id)
      : [],
  )
  const [chosen, setChosen] = useState(() => preselectedIn(context, message.id))

  function target() {
    if (message.room_id !== null) return { message_id: message.id, room_id: message.room_id }
    const { tombstones } = store.get()
    const conversation_id = message.conversation_id ?? ''
    const context_ids = chosen.filter((id) => !tombstones.includes(tombstoneOf(conversation_id, id)))
    return { message_id: message.id, conversation_id, context_ids }
  }

  return (
    <ReportDialog
      title={t('Report message')}
      spaceName={space === undefined || isOfOwner ? null : space.name}
      privacyNote={isOfWebhook ? '' : t('{name} won’t be notified.', { name })}
      target={target}
      author={isOfWebhook ? null : message.author}
      onClose={onClose}
    >
      {context.length > 1 ? (
        <ContextChoice messages={context} reportedId={message.id} chosen={chosen} onChange={setChosen} />
      ) : (
        <Preview message={message} name={name} />
      )}
    </ReportDialog>
  )
}

function Preview({ message, name }: { message: Message; name: string }) {
  const channel = useChannel()
  const words = useAppState((state) => wordsOf(state, channel, message))
  return (
    <blockquote className="message-quote report-quote">
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <span>{words}</span>
    </blockquote>
  )
}
