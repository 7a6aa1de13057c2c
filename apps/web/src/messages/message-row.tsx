import { type Message, MessageType } from '@foyer/protocol/messages'
import type { User } from '@foyer/protocol/users'
import { Pencil, Trash2 } from 'lucide-react'
import { type FocusEvent, memo, useState } from 'react'
import { MessageFiles } from '#src/attachments/message-files.tsx'
import { ProfileButton } from '#src/friends/profile-cards.tsx'
import { Avatar } from '#src/ui/avatar.tsx'
import { BotBadge } from '#src/ui/bot-badge.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { formatClock, formatFull, formatShortClock } from '#src/ui/time.ts'
import { MessageEditor } from './message-editor.tsx'
import './message-row.css'
import { MessageStickers } from './message-stickers.tsx'
import { MessageText } from './message-text.tsx'
import { RowFocus } from './row-focus.ts'

export interface MessageRowProps {
  message: Message
  name: string
  grouped: boolean
  mayEdit: boolean
  mayDelete: boolean
  isEditing: boolean
  /** The one message of the list that the Tab key stops at. */
  isTabStop: boolean
  onEdit: (id: string | null) => void
  onDelete: (message: Message) => void
}

export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { message, name, grouped, isEditing, isTabStop } = props
  const [hasFocus, setHasFocus] = useState(false)
  return (
    <li
      className="message"
      data-row={message.id}
      data-grouped={grouped || undefined}
      data-editing={isEditing || undefined}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={`${name}, ${formatClock(message.created_at)}`}
      onFocus={() => setHasFocus(true)}
      onBlur={(event) => setHasFocus(staysIn(event))}
    >
      <Byline author={message.author} name={name} time={message.created_at} grouped={grouped} />
      <div className="message-body">
        {isEditing ? (
          <MessageEditor message={message} onDone={() => props.onEdit(null)} />
        ) : (
          <>
            {message.content !== '' && <MessageText text={message.content} />}
            {isEmptied(message) && <span className="message-emptied">The sticker was deleted.</span>}
            {message.edited_at !== null && (
              <span className="message-edited" title={formatFull(message.edited_at)}>
                edited
              </span>
            )}
          </>
        )}
        <RowFocus value={hasFocus}>
          <MessageFiles attachments={message.attachments} />
        </RowFocus>
        <MessageStickers stickers={message.stickers} />
      </div>
      {!isEditing && <MessageTools {...props} />}
    </li>
  )
})

/** Nothing is sent empty, but a sticker takes itself along when it is deleted. */
function isEmptied({ type, content, attachments, stickers }: Message): boolean {
  return type === MessageType.Default && content === '' && attachments.length + stickers.length === 0
}

function staysIn({ currentTarget, relatedTarget }: FocusEvent): boolean {
  return currentTarget.contains(relatedTarget)
}

/** Who wrote it and when; for what follows under the same name only the time, when it is pointed at. */
export function Byline({
  author: { id, is_bot },
  name,
  time,
  grouped,
}: {
  author: Pick<User, 'id' | 'is_bot'>
  name: string
  time: string
  grouped: boolean
}) {
  const clock = (
    <time className="message-time" dateTime={time} title={formatFull(time)}>
      {grouped ? formatShortClock(time) : formatClock(time)}
    </time>
  )
  if (grouped) return <div className="message-gutter">{clock}</div>
  return (
    <>
      <div className="message-gutter">
        <ProfileButton userId={id} className="message-avatar" isSpare>
          <Avatar id={id} name={name} />
        </ProfileButton>
      </div>
      <div className="message-byline">
        {/* The Tab key goes from message to message; the same card is behind the names of the members. */}
        <ProfileButton userId={id} className="message-author" isTabStop={false}>
          {name}
        </ProfileButton>
        {is_bot && <BotBadge />}
        {clock}
      </div>
    </>
  )
}

function MessageTools({ message, mayEdit, mayDelete, onEdit, onDelete }: MessageRowProps) {
  if (!mayEdit && !mayDelete) return null
  return (
    <div className="message-tools">
      {mayEdit && <IconButton label="Edit message" icon={<Pencil />} onClick={() => onEdit(message.id)} />}
      {mayDelete && <IconButton label="Delete message" icon={<Trash2 />} onClick={() => onDelete(message)} />}
    </div>
  )
}
