import type { Message } from '@foyer/protocol/messages'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { nameOfAuthor } from '#src/members/author-name.ts'
import { useAppState } from '#src/session/context.ts'
import { formatClock } from '#src/ui/time/time.ts'
import { wordsOf } from '../content/message-words.ts'
import './reporting.css'

interface ContextChoiceProps {
  /** The reported message and those around it, oldest first. */
  messages: readonly Message[]
  reportedId: string
  /** Ids of the other messages that the report shows. */
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** Lets the user choose which other messages of a conversation the report includes. */
export function ContextChoice({ messages, reportedId, chosen, onChange }: ContextChoiceProps) {
  function toggle(id: string) {
    onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
  }

  return (
    <fieldset className="report-context">
      <legend className="field-label">{t('Messages to include')}</legend>
      <p className="field-hint">
        {t('Choose messages that help explain the problem. Nothing else in this conversation is shared.')}
      </p>
      {messages.map((message) => (
        <ContextLine
          key={message.id}
          message={message}
          isReported={message.id === reportedId}
          isChosen={chosen.includes(message.id)}
          onToggle={() => toggle(message.id)}
        />
      ))}
    </fieldset>
  )
}

interface ContextLineProps {
  message: Message
  isReported: boolean
  isChosen: boolean
  onToggle: () => void
}

function ContextLine({ message, isReported, isChosen, onToggle }: ContextLineProps) {
  const channel = useChannel()
  const words = useAppState((state) => wordsOf(state, channel, message))
  return (
    <label className="report-choice" data-reported={isReported || undefined}>
      <input type="checkbox" checked={isReported || isChosen} disabled={isReported} onChange={onToggle} />
      <span>
        <span className="report-author">
          <strong>
            <bdi>{nameOfAuthor(message, channel.nameOf)}</bdi>
          </strong>{' '}
          <time dateTime={message.created_at}>{formatClock(message.created_at)}</time>
          {isReported && <> · {t('reported message')}</>}
        </span>
        <span className="report-words" dir="auto">
          {words}
        </span>
      </span>
    </label>
  )
}
