import { MAX_PINS } from '@foyer/protocol/limits'
import type { Message } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { ArrowRight, Pin, X } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import { MessageFiles } from '#src/attachments/message-files.tsx'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { nameOfAuthor } from '#src/members/author-name.ts'
import { MentionedContext } from '#src/mentions/mentioned.ts'
import { useNameColors } from '#src/mentions/use-name-colors.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { ColoredName } from '#src/roles/colored-name.tsx'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { useFocusAfter } from '#src/ui/focus/use-focus-after.ts'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { formatClock, formatDay, formatFull } from '#src/ui/time/time.ts'
import { blockedWords, useIsBlocked } from '../blocked/blocked-words.ts'
import { MessageStickers } from '../content/message-stickers.tsx'
import { MessageText } from '../content/message-text.tsx'
import { MessageEmbeds } from '../embeds/message-embeds.tsx'
import './pins-panel.css'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { PinsSkeleton } from './pins-skeleton.tsx'
import { usePins } from './use-pins.ts'

/** The channel's pinned messages, with links to them. */
export function PinsPanel({ onClose }: { onClose: () => void }) {
  const channel = useChannel()
  const { answer, again } = usePins(channel)
  const panel = useRef<HTMLElement>(null)
  return (
    <section ref={panel} tabIndex={-1} className="pins" aria-label={t('Pinned messages')}>
      <header className="pins-header">
        <h2>{t('Pinned messages')}</h2>
        {answer.state === 'here' && answer.value.length > 0 && (
          <span className="pins-count">
            {t('{count} of {max}', { count: answer.value.length, max: MAX_PINS })}
          </span>
        )}
        <IconButton label={t('Close')} icon={<X />} onClick={onClose} />
      </header>
      {answer.state === 'loading' && <PinsSkeleton />}
      {answer.state === 'failed' && <LoadError message={answer.message} again={again} />}
      {answer.state === 'here' && answer.value.length === 0 && (
        <EmptyNote icon={<Pin />} title={t('No pinned messages yet')}>
          {t('Pin a message from its menu to keep it here for everyone.')}
        </EmptyNote>
      )}
      {answer.state === 'here' && answer.value.length > 0 && (
        <ul className="pins-list">
          {answer.value.map((message) => (
            <PinnedMessage key={message.id} message={message} onClose={onClose} focusAfter={panel} />
          ))}
        </ul>
      )}
    </section>
  )
}

interface PinnedMessageProps {
  message: Message
  onClose: () => void
  /** Receives the focus when the focused message is unpinned. */
  focusAfter: RefObject<HTMLElement | null>
}

function PinnedMessage({ message, onClose, focusAfter }: PinnedMessageProps) {
  const { nameOf, may, jumpTo, address } = useChannel()
  const { client } = useSession()
  const unpinning = useAction()
  const isBlocked = useIsBlocked(message)
  useFocusAfter(focusAfter)
  const label = `${nameOfAuthor(message, nameOf)}, ${formatFull(message.created_at)}`

  function jump() {
    onClose()
    jumpTo(message.id)
  }

  return (
    <li className="pin" aria-label={isBlocked ? blockedWords(1, 1) : label}>
      {isBlocked ? <em className="pin-blocked">{blockedWords(1, 1)}</em> : <PinnedWords message={message} />}
      {unpinning.error !== null && (
        <p role="alert" className="form-error">
          {unpinning.error}
        </p>
      )}
      <div className="pin-actions">
        <Button onClick={jump}>
          <ArrowRight aria-hidden="true" /> {t('Go to message')}
        </Button>
        {may(Permission.PinMessages) && (
          <Button
            pending={unpinning.pending}
            onClick={() => unpinning.run(() => client.pins.remove(address, message.id))}
          >
            {t('Unpin')}
          </Button>
        )}
      </div>
    </li>
  )
}

function PinnedWords({ message }: { message: Message }) {
  const { nameOf, spaceId } = useChannel()
  const { author, member, created_at } = message
  const colors = useNameColors(spaceId, author.id, member)
  const name = nameOfAuthor(message, nameOf)
  const { content, attachments, stickers, embeds } = message.snapshot ?? message
  return (
    <>
      <header className="pin-head">
        <Avatar
          id={message.webhook_id === null ? author.id : name}
          name={name}
          size="sm"
          picture={author.avatar}
        />
        <span className="pin-author">
          <ColoredName colors={colors}>{name}</ColoredName>
        </span>
        <time className="message-time" dateTime={created_at} title={formatFull(created_at)}>
          {formatDay(created_at)}, {formatClock(created_at)}
        </time>
      </header>
      <MentionedContext value={message}>
        {content !== '' && <MessageText text={content} />}
        <MessageFiles attachments={attachments} />
        <MessageStickers stickers={stickers} />
        <MessageEmbeds embeds={embeds} />
      </MentionedContext>
    </>
  )
}
