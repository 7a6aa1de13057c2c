import { type Message, MessageFlag, type MessageSnapshot } from '@foyer/protocol/messages'
import { Forward } from 'lucide-react'
import { useLocation } from 'wouter'
import { MessageFiles } from '#src/attachments/message-files.tsx'
import { t } from '#src/language/texts.ts'
import { roomLabel } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import { formatFull } from '#src/ui/time/time.ts'
import { MessageEmbeds } from '../embeds/message-embeds.tsx'
import './forwarded.css'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import { EditedMark } from './edited-mark.tsx'
import { MessageStickers } from './message-stickers.tsx'
import { MessageText } from './message-text.tsx'
import { useOrigin } from './use-origin.ts'

interface ForwardedProps {
  message: Message
  snapshot: MessageSnapshot
}

/** A copy of a forwarded message, with a link to the original for users who can view it. */
export function Forwarded({ message, snapshot }: ForwardedProps) {
  const { content, edited_at } = snapshot
  return (
    <blockquote className="forwarded">
      <p className="forwarded-title">
        <Forward aria-hidden="true" />{' '}
        {(message.flags & MessageFlag.FromThread) === 0 ? t('Forwarded') : t('From a thread')}
      </p>
      {(content !== '' || edited_at !== null) && (
        <div>
          {content !== '' && <MessageText text={content} />}
          <EditedMark time={edited_at} />
        </div>
      )}
      <MessageFiles attachments={snapshot.attachments} />
      <MessageStickers stickers={snapshot.stickers} />
      <MessageEmbeds embeds={snapshot.embeds} />
      <Origin message={message} time={snapshot.created_at} />
    </blockquote>
  )
}

function Origin({ message, time }: { message: Message; time: string }) {
  const reference = useOrigin(message)
  // For a forward from a thread, `room_id` is the thread, which is not among the rooms: its parent room is used.
  const room = useAppState(
    (state) => state.rooms[reference?.room_id ?? ''] ?? state.rooms[reference?.parent_room_id ?? ''],
  )
  const conversation = useAppState((state) => state.conversations[reference?.conversation_id ?? ''])
  const [, navigate] = useLocation()
  const tabIndex = useRowPart()
  const path = room
    ? `/spaces/${room.space_id}/rooms/${reference?.room_id}`
    : conversation && `/conversations/${conversation.id}`
  if (reference === null || path === undefined) return <p className="forwarded-origin">{formatFull(time)}</p>
  return (
    <p className="forwarded-origin">
      <button type="button" tabIndex={tabIndex} onClick={() => navigate(`${path}/${reference.message_id}`)}>
        {room ? roomLabel(room) : t('Conversation')} · {formatFull(time)}
      </button>
    </p>
  )
}
